#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A log that is opened on first use, and opened again when its session turns out to be stale.
final class LogFolder: Sendable {
  let config: DiskConfig
  private let folder: EntryFolder
  private let protection: FileProtection
  /// The open session. Its locks are never held while waiting.
  private let current = SharedObject<LogSession>()
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
    var attempts = 0
    while true {
      let holder = try session()
      let session = holder.object
      defer { session.reportFindings() }
      do { return try body(session) } catch { try leave(session, after: error, &attempts) }
    }
  }

  /// Closes a session that is stale. Throws the error if it has another cause.
  // Not part of `using`, of which the compiler makes a copy for each operation; nor is `session`.
  @inline(never)
  private func leave(_ session: LogSession, after error: any Error, _ attempts: inout Int) throws {
    // After the folder was moved or deleted, any file can be missing, or belong to another store.
    if !(error is StaleSession), try session.control.isReadOnly || session.control.isInPlace() { throw error }
    current.remove(session)
    attempts += 1
    if attempts < 100 { return }
    throw StorageError.backendFailed.with(
      "another program repeatedly replaces the files of the log: find out which one", place: folder.path)
  }

  @inline(never)
  private func session() throws -> SharedObject<LogSession>.Holder {
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
      return current.set(session)
    }
  }

  var path: String { folder.path }

  /// The holder of the session, if the log is open.
  var opened: SharedObject<LogSession>.Holder? { current.holder }

  func entry(_ key: [UInt8], _ wanted: Wanted = .value) throws -> Entry<Data>? {
    try using { try $0.entry(key, wanted) }
  }

  /// Stores entries, at least one, if a condition on the first one holds while nothing else changes the log; returns
  /// whether it did. Calls `stored` once they are, and before anything else changes the log.
  @discardableResult
  func store(
    _ entries: [NewRecord], if condition: WriteCondition?, _ stored: (LogSession) -> Void = { _ in }
  ) throws -> Bool {
    try using { session in
      if let condition, try !session.wouldHold(condition, for: entries[0].key) { return false }
      try session.options.refuse(entries)
      return try session.store(entries, staged(entries, session.options), if: condition) { stored(session) }
    }
  }

  /// Writes the values that become files of their own; returns an empty array if none does.
  private func staged(_ entries: [NewRecord], _ options: LogOptions) throws -> [StagedFile?] {
    let areFiles = options.areFiles(entries)
    if areFiles.isEmpty { return [] }
    // A file that is written in advance keeps a descriptor open until it is moved.
    let isLate = areFiles.count { $0 } > 64
    return try zip(entries, areFiles).map { entry, isFile in
      isFile ? try StagedFile(entry, options, isLate: isLate) : nil
    }
  }
}
