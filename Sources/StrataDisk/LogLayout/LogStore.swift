#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The layouts `.automatic` and `.packed`: a log, and files for large values.
final class LogStore<Key: StorageKey>: DiskEngine {
  private let config: DiskConfig
  private let folder: EntryFolder
  private let current = Locked<LogSession?>(nil)

  init(_ config: DiskConfig, in folder: EntryFolder) {
    self.config = config
    self.folder = folder
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
      "somebody keeps changing the files of the log; no other program may", place: folder.path)
  }

  private func session() throws -> LogSession {
    try current.withLock { current in
      if let current { return current }
      try folder.make()
      try folder.removeLeftovers()
      let session = try LogSession.open(
        LogOptions(
          folder: folder, limit: config.limit, durability: config.durability, clock: config.clock,
          fileThreshold: config.layout.fileThreshold, old: OldEntries(in: folder, config.predecessor),
          report: { [config] in config.report($0) }))
      current = session
      return session
    }
  }

  func entryIfPresent(forKey key: Key) throws -> Entry<Data>? {
    let key = key.storageKey.canonicalUTF8
    return try using { try $0.entry(key) }
  }

  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Data>] {
    let entries = try using { try $0.entries(keys.map(\.storageKey.canonicalUTF8)) }
    var found: [Key: Entry<Data>] = [:]
    for (key, entry) in zip(keys, entries) { found[key] = entry }
    return found
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
      try session.options.refuse(entries)
      let areFiles = session.options.areFiles(entries)
      // A file that is written before it is its turn keeps a descriptor until then.
      let isLate = areFiles.count { $0 } > 64
      try session.store(
        entries,
        zip(entries, areFiles).map { entry, isFile in
          isFile
            ? try StagedFile(entry, in: folder, durability: config.durability, isLate: isLate) : nil
        })
    }
  }

  func removeObject(forKey key: Key) throws { try removeObjects(forKeys: [key]) }

  func removeObjects(forKeys keys: [Key]) throws {
    let keys = keys.map(\.storageKey.canonicalUTF8)
    try using { try $0.removeEntries(keys) }
  }

  func removeAll() throws { try using { try $0.removeAll() } }
  func removeExpiredObjects() throws { try using { try $0.removeExpired() } }

  func check(repairing: Bool) throws -> [DiskFinding] {
    try using { try $0.check(repairing: repairing) }
  }

  func keys() throws -> [Key] {
    let clock = config.clock
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
