#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The engine of the layouts `.automatic` and `.packed`: a log, and files for large values. Converts keys to bytes;
/// `LogFolder` does the rest.
final class LogStore<Key: StorageKey>: DiskEngine {
  let log: LogFolder
  let config: DiskConfig

  init(_ config: DiskConfig, in folder: EntryFolder) {
    log = LogFolder(config, in: folder)
    self.config = config
  }

  func open() throws { try log.using { _ in } }

  func read(_ key: Key, _ how: How) throws -> Entry<Data>? {
    let bytes = key.storageKey.canonicalUTF8
    let wanted = how.contains(.expiryOnly) ? Wanted.expiry : .value
    if !how.contains(.atOnce) { return try log.entry(bytes, wanted) }
    guard let session = log.opened else { throw WouldWait() }
    return try session.cachedEntry(bytes, wanted)
  }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func read(_ keys: [Key]) throws -> [Key: Entry<Data>] {
    let bytes = keys.map { $0.storageKey.canonicalUTF8 }
    return Dictionary(keys, found: try log.using { try $0.entries(bytes) })
  }

  func store(_ object: Data, _ key: Key, _ expiry: Expiry, if condition: WriteCondition?) throws -> Bool {
    try log.store([NewEntry(key: key.storageKey.canonicalUTF8, value: object, expiry: expiry)], if: condition)
  }

  func storeAtOnce(_ object: Data, _ key: Key, _ expiry: Expiry) -> Bool {
    // Only the file of a lease shows whether the lease is still held, and reading it may block.
    guard StorageLease.inForce == nil, let session = log.opened else { return false }
    return session.storeAtOnce(NewEntry(key: key.storageKey.canonicalUTF8, value: object, expiry: expiry))
  }

  // Going through a dictionary takes longer than reading or storing its entries, if its types are unknown.
  @specialized(where Key == String)
  @specialized(where Key == Int)
  func store(_ batch: StoreBatch<Key, Data>) throws {
    var entries: [NewEntry] = []
    entries.reserveCapacity(batch.count)
    batch.forEachObject(own: config.expiry, by: config.clock) { key, value, expiry in
      entries.append(NewEntry(key: key.storageKey.canonicalUTF8, value: value, expiry: expiry))
    }
    if !entries.isEmpty { try log.store(Self.distinct(entries)) }
  }

  /// Returns one entry for each text. Different keys may have the same text: then they are one key here, and one of the
  /// values is stored.
  private static func distinct(_ entries: [NewEntry]) -> [NewEntry] {
    // Different strings and different numbers have different texts.
    if Key.self == String.self || Key.self == Int.self { return entries }
    return Array(Dictionary(entries.map { ($0.key, $0) }) { $1 }.values)
  }

  func touch(_ key: Key, _ expiry: Expiry) throws -> Bool {
    let bytes = key.storageKey.canonicalUTF8
    return try log.using { try $0.touch(bytes, expiry) }
  }

  func versionedEntry(_ key: Key) throws -> VersionedEntry? {
    let bytes = key.storageKey.canonicalUTF8
    return try log.using { try $0.versionedEntry(bytes) }
  }

  func remove(_ keys: [Key]) throws {
    let bytes = keys.map(\.storageKey.canonicalUTF8)
    try log.using { try $0.removeEntries(bytes) }
  }

  func removeAll() throws { try log.using { try $0.removeAll() } }
  func removeExpired() throws { try log.using { try $0.removeExpired() } }
  func compact() throws { try log.using { try $0.compact() } }
  func check(repairing: Bool) throws -> [DiskFinding] { try log.using { try $0.check(repairing: repairing) } }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func keys() throws -> [Key] {
    let (texts, areDistinct) = try log.using { try $0.texts() }
    return areDistinct ? texts.compactMap(Key.init(text:)) : Array(Set(texts.compactMap(Key.init(text:))))
  }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    let position: IndexPosition? = try cursor?.position()
    let (texts, next) = try log.using { try $0.texts(after: position, limit: max(1, limit)) }
    return KeyPage(keys: texts.compactMap(Key.init(text:)), next: next.map { KeyCursor($0) })
  }

  func totalSize() throws -> Int { try log.using { try $0.totalSize() } }
  var knownSize: Int { log.knownSize }
}

extension StorageKey {
  /// Creates the key with a text; `nil` if the text is no key of this type, or not the key's own text: then a store
  /// with another key type wrote the entry.
  init?(text: String) {
    guard let key = Self(storageKey: text), key.storageKey == text else { return nil }
    self = key
  }
}
