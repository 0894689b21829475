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
    guard how.contains(.expiryOnly) else {
      return how.contains(.atOnce) ? try log.cachedEntry(bytes).get() : try log.entry(bytes)
    }
    let expiry = how.contains(.atOnce) ? try log.cachedExpiry(bytes).get() : try log.expiry(bytes)
    return expiry.map { Entry(expiry: $0) }
  }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func read(_ keys: [Key]) throws -> [Key: Entry<Data>] {
    Dictionary(keys, found: try log.entries(keys.map { $0.storageKey.canonicalUTF8 }))
  }

  func store(_ object: Data, _ key: Key, _ expiry: Expiry, if condition: WriteCondition?) throws -> Bool {
    let entry = NewEntry(key: key.storageKey.canonicalUTF8, value: object, expiry: expiry)
    return switch condition {
    case nil: try log.store([entry], if: Self.leaseCondition)
    case .absent: try log.store([entry]) { try $0.isAbsent(entry.key) }
    case .unchanged(let version): try log.store([entry]) { $0.version(of: entry.key) == version }
    }
  }

  func storeAtOnce(_ object: Data, _ key: Key, _ expiry: Expiry) -> Bool {
    // Only the file of a lease shows whether the lease is still held, and reading it may block.
    if StorageLease.inForce != nil { return false }
    return log.storeAtOnce(NewEntry(key: key.storageKey.canonicalUTF8, value: object, expiry: expiry))
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
    if !entries.isEmpty { try log.store(Self.distinct(entries), if: Self.leaseCondition) }
  }

  /// Returns one entry for each text. Different keys may have the same text: then they are one key here, and one of the
  /// values is stored.
  private static func distinct(_ entries: [NewEntry]) -> [NewEntry] {
    // Different strings and different numbers have different texts.
    if Key.self == String.self || Key.self == Int.self { return entries }
    return Array(Dictionary(entries.map { ($0.key, $0) }) { $1 }.values)
  }

  /// Returns the condition of a write under a lease. It is checked while no other process can change the log, so that
  /// the next owner of the lease writes later.
  static var leaseCondition: ((LogSession) throws -> Bool)? {
    guard let lease = StorageLease.inForce else { return nil }
    return { _ in
      try lease.check()
      return true
    }
  }

  func touch(_ key: Key, _ expiry: Expiry) throws -> Bool {
    try log.using { try $0.touch(key.storageKey.canonicalUTF8, expiry) }
  }

  func versionedEntry(_ key: Key) throws -> VersionedEntry? {
    try log.using { try $0.versionedEntry(key.storageKey.canonicalUTF8) }
  }

  func remove(_ keys: [Key]) throws { try log.remove(keys.map(\.storageKey.canonicalUTF8)) }
  func removeAll() throws { try log.removeAll() }
  func removeExpired() throws { try log.removeExpired() }
  func compact() throws { try log.using { try $0.compact() } }
  func check(repairing: Bool) throws -> [DiskFinding] { try log.check(repairing: repairing) }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func keys() throws -> [Key] {
    var keys: [Key] = []
    let isUnique = try log.forEachKey { text in
      // The text may be no key of this type, or not the key's own text: then a store with another key type wrote the
      // entry.
      if let key = Key(storageKey: text), key.storageKey == text { keys.append(key) }
    }
    return isUnique ? keys : Array(Set(keys))
  }

  @specialized(where Key == String)
  @specialized(where Key == Int)
  func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    var keys: [Key] = []
    let next = try log.forEachKey(after: cursor?.position(), limit: max(1, limit)) { text in
      if let key = Key(storageKey: text), key.storageKey == text { keys.append(key) }
    }
    return KeyPage(keys: keys, next: next.map { KeyCursor($0) })
  }

  func totalSize() throws -> Int { try log.totalSize() }
  var knownSize: Int { log.knownSize }
}
