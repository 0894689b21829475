#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The layouts `.automatic` and `.packed`: a log, and files for large values.
final class LogStore<Key: StorageKey>: DiskEngine {
  private let options: LogOptions
  private let fileThreshold: Int
  private let current = Locked<LogSession?>(nil)

  init(_ config: DiskConfig, in folder: EntryFolder) {
    options = LogOptions(
      folder: folder, limit: config.limit, durability: config.durability, clock: config.clock,
      report: { config.report($0) })
    fileThreshold = config.layout.fileThreshold
  }

  /// Opens the log, if that was not done yet.
  func open() throws { try using { _ in } }

  /// Runs `body` with the log, and once more with the log opened anew as often as it turns out to be another.
  private func using<R>(_ body: (LogSession) throws -> R) throws -> R {
    for _ in 0..<100 {
      let session = try session()
      defer { session.reportFindings() }
      do {
        return try body(session)
      } catch is StaleSession {
        current.withLock { if $0 === session { $0 = nil } }
      }
    }
    throw StorageError.backendFailed.with(
      "somebody keeps changing the files of the log; no other program may", place: options.folder.path)
  }

  private func session() throws -> LogSession {
    try current.withLock { current in
      if let current { return current }
      let session = try LogSession.open(options)
      current = session
      return session
    }
  }

  func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    let key = key.storageKey.canonicalUTF8
    return try using { try $0.entry(key) }
  }

  func expiryIfPresent(forKey key: Key) throws -> Expiry? {
    let key = key.storageKey.canonicalUTF8
    return try using { try $0.expiry(key) }
  }

  func setObject(_ object: Data, forKey key: Key, expiry: Expiry) throws {
    try store([NewEntry(key: key.storageKey.canonicalUTF8, value: object, expiry: expiry)])
  }

  func setObjects(_ objects: [Key: Data], expiry: Expiry) throws {
    if objects.isEmpty { return }
    try store(objects.map { NewEntry(key: $0.key.storageKey.canonicalUTF8, value: $0.value, expiry: expiry) })
  }

  private func store(_ entries: [NewEntry]) throws {
    try using { session in
      let staged = try entries.map { entry in
        entry.value.count < fileThreshold && entry.packedLength <= 1 << 26
          ? nil : try StagedFile(entry, in: options.folder, durability: options.durability)
      }
      try refuseWhatCannotFit(entries, staged)
      try session.store(entries, staged)
    }
  }

  private func refuseWhatCannotFit(_ entries: [NewEntry], _ staged: [StagedFile?]) throws {
    guard let limit = options.limit else { return }
    var size = SegmentHeader.size
    for (entry, file) in zip(entries, staged) {
      size += file.map { $0.value.size + Record.length(Record.headerSize + entry.key.count + 16) } ?? entry.packedLength
    }
    if size > limit {
      throw StorageError.tooLarge.with(
        "it would take \(size) bytes of the disk, and all together may take \(limit)", place: options.folder.path)
    }
  }

  func removeObject(forKey key: Key) throws { try removeObjects(forKeys: [key]) }

  func removeObjects(forKeys keys: [Key]) throws {
    let keys = keys.map(\.storageKey.canonicalUTF8)
    try using { try $0.removeEntries(keys) }
  }

  func removeAll() throws { try using { try $0.removeAll() } }
  func removeExpiredObjects() throws { try using { try $0.removeExpired() } }

  func keys() throws -> [Key] {
    let clock = options.clock
    return try using { session in
      if try session.control.isGone() { throw StaleSession() }
      var keys: [Key] = []
      let isCalm = try session.forEachKey { bytes, expiry in
        // A text that is no key, or not the text of that key, was stored with another type of key.
        if !expiry.isExpired(by: clock), let text = String(validating: bytes, as: UTF8.self),
          let key = Key(storageKey: text), key.storageKey == text
        {
          keys.append(key)
        }
      }
      return isCalm ? keys : Array(Set(keys))
    }
  }

  func totalSize() throws -> Int {
    try using { session in
      if try session.control.isGone() { throw StaleSession() }
      return try session.totalSize()
    }
  }

  var knownSize: Int { current.withLock { $0.map { $0.control.logBytes + $0.control.fileBytes } ?? 0 } }
}
