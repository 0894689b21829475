#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A log that is opened on first use, and opened again when its session turns out to be stale. Keys are bytes here.
final class LogFolder: Sendable {
  private let config: DiskConfig
  private let folder: EntryFolder
  private let protection: FileProtection
  /// The open session. This lock is never held while waiting.
  private let current = Locked<LogSession?>(nil)
  /// Held while the log is opened.
  private let opening = Locked(())

  /// - Parameter protection: Replaces the configuration's protection.
  init(_ config: DiskConfig, in folder: EntryFolder, protection: FileProtection? = nil) {
    self.config = config
    self.folder = folder
    self.protection = protection ?? FileProtection(config.protectionType)
  }

  /// Runs `body` with the log; opens the log again and repeats as often as its session is stale.
  func using<R>(_ body: (LogSession) throws -> R) throws -> R {
    for _ in 0..<100 {
      let session = try session()
      defer { session.reportFindings() }
      do { return try body(session) } catch { try leave(session, after: error) }
    }
    throw StorageError.backendFailed.with(
      "another program repeatedly replaces the files of the log: find out which one", place: folder.path)
  }

  /// Closes a session that is stale. Throws the error if it has another cause.
  // Not part of `using`, of which the compiler makes a copy for each operation.
  @inline(never)
  private func leave(_ session: LogSession, after error: any Error) throws {
    // After the folder was moved or deleted, any file can be missing, or belong to another store.
    if !(error is StaleSession), try session.control.isReadOnly || session.control.isInPlace() { throw error }
    current.withLock { if $0 === session { $0 = nil } }
  }

  private func session() throws -> LogSession {
    if let opened { return opened }
    return try opening.withLock { _ in
      if let opened { return opened }
      try folder.make()
      let names = try folder.names {
        EntryName.isTemporary($0) || EntryName.isEntry($0) || $0 == EntryName.damaged
      }
      try folder.removeLeftovers(among: names)
      if names.contains(EntryName.damaged) { folder.limitDamaged(config) }
      let session = try LogSession.open(
        LogOptions(
          folder: folder, limit: config.limit, durability: config.durability, protection: protection,
          clock: config.clock, fileThreshold: config.layout.fileThreshold,
          old: OldEntries(in: folder, among: names, config.predecessor),
          report: { [config] in config.report($0) },
          reclaimed: { [config] in config.reclaimed(evictions: $0, expiries: $1) }))
      current.withLock { $0 = session }
      return session
    }
  }

  var path: String { folder.path }

  private var opened: LogSession? { current.withLock { $0 } }

  func entry(_ key: [UInt8]) throws -> Entry<Data>? { try using { try $0.entry(key) } }
  func expiry(_ key: [UInt8]) throws -> Expiry? { try using { try $0.expiry(key) } }
  func cachedEntry(_ key: [UInt8]) -> CacheLookup<Entry<Data>> { opened?.cachedEntry(key) ?? .unknown }
  func cachedExpiry(_ key: [UInt8]) -> CacheLookup<Expiry> { opened?.cachedExpiry(key) ?? .unknown }
  func storeAtOnce(_ entry: NewEntry) -> Bool { opened?.storeAtOnce(entry) ?? false }
  func entries(_ keys: [[UInt8]]) throws -> [Entry<Data>?] { try using { try $0.entries(keys) } }
  func remove(_ keys: [[UInt8]]) throws { try using { try $0.removeEntries(keys) } }
  func removeAll() throws { try using { try $0.removeAll() } }
  func removeExpired() throws { try using { try $0.removeExpired() } }
  func check(repairing: Bool) throws -> [DiskFinding] { try using { try $0.check(repairing: repairing) } }

  /// Stores entries if a condition holds while nothing else changes the log; returns whether it did.
  @discardableResult
  func store(_ entries: [NewEntry], if condition: ((LogSession) throws -> Bool)? = nil) throws -> Bool {
    try using { session in
      if let condition, try !session.holds(condition, for: entries) { return false }
      try session.options.refuse(entries)
      let staged = try staged(entries, session.options)
      return try session.store(entries, staged, if: condition.map { condition in { try condition(session) } })
    }
  }

  /// Writes the values that become files of their own; returns an empty array if none does.
  private func staged(_ entries: [NewEntry], _ options: LogOptions) throws -> [StagedFile?] {
    let areFiles = options.areFiles(entries)
    if areFiles.isEmpty { return [] }
    // A file that is written in advance keeps a descriptor open until it is moved.
    let isLate = areFiles.count { $0 } > 64
    return try zip(entries, areFiles).map { entry, isFile in
      isFile ? try StagedFile(entry, in: folder, options, isLate: isLate) : nil
    }
  }

  /// Calls `body` with the text of each key that has not expired. Returns whether each key was passed only once.
  func forEachKey(_ body: (String) -> Void) throws -> Bool {
    try using { session in
      if try !session.control.isInPlace() { throw StaleSession() }
      return try session.forEachKey { bytes, expiry in
        if !expiry.isExpired(by: config.clock), let text = String(validating: bytes, as: UTF8.self) {
          body(text)
        }
      }
    }
  }

  /// Calls `body` with the texts of at most `limit` keys after a position. Returns the position after them, or `nil`
  /// after the last one.
  func forEachKey(
    after position: IndexPosition?, limit: Int, _ body: (String) -> Void
  ) throws -> IndexPosition? {
    try using { session in
      if try !session.control.isInPlace() { throw StaleSession() }
      return try session.forEachKey(after: position, limit: limit) { bytes, expiry in
        if !expiry.isExpired(by: config.clock), let text = String(validating: bytes, as: UTF8.self) {
          body(text)
        }
      }
    }
  }

  func totalSize() throws -> Int {
    try using { session in
      if try !session.control.isInPlace() { throw StaleSession() }
      return try session.totalSize()
    }
  }

  var knownSize: Int { opened.map { $0.control.logBytes + $0.control.fileBytes } ?? 0 }
}
