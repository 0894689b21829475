#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The engine of the layouts `.automatic` and `.packed`: a log, and files for large values.
extension LogFolder: DiskEngine {
  func open() throws { try using { _ in } }

  func read(_ key: [UInt8], _ how: How) throws -> Entry<Data>? {
    let wanted = how.contains(.expiryOnly) ? Wanted.expiry : .value
    if !how.contains(.atOnce) { return try entry(key, wanted) }
    guard let opened else { throw WouldWait() }
    return try opened.object.cachedEntry(key, wanted)
  }

  func read(_ keys: [[UInt8]]) throws -> [Entry<Data>?] { try using { try $0.entries(keys) } }

  func store(_ entry: NewEntry, if condition: WriteCondition?) throws -> Bool {
    try store([NewRecord(entry)], if: condition)
  }

  func replace(_ seen: EntryVersion, with entry: NewEntry) throws -> (isStored: Bool, version: EntryVersion?)
  {
    var version: EntryVersion?
    let isStored = try store([NewRecord(entry)], if: .unchanged(seen)) { version = $0.version(of: entry.key) }
    return (isStored, version)
  }

  func storeAtOnce(_ entry: NewEntry) -> Bool {
    // Only the file of a lease shows whether the lease is still held, and reading it may block.
    guard StorageLease.inForce == nil, let opened else { return false }
    return opened.object.storeAtOnce(NewRecord(entry))
  }

  func store(_ entries: [NewEntry]) throws { try store(entries.map(NewRecord.init), if: nil) }
  func touch(_ key: [UInt8], _ expiry: Expiry) throws -> Bool { try using { try $0.touch(key, expiry) } }
  func versionedEntry(_ key: [UInt8]) throws -> VersionedEntry? { try using { try $0.versionedEntry(key) } }
  func remove(_ keys: [[UInt8]]) throws { try using { try $0.removeEntries(keys) } }
  func removeAll() throws { try using { try $0.removeAll() } }
  func removeExpired() throws { try using { try $0.removeExpired() } }
  func compact() throws { try using { try $0.compact() } }
  func check(repairing: Bool) throws -> [DiskFinding] { try using { try $0.check(repairing: repairing) } }

  func texts() throws -> [String] {
    let (texts, areDistinct) = try using { try $0.texts() }
    return areDistinct ? texts : Array(Set(texts))
  }

  func texts(after cursor: KeyCursor?, limit: Int) throws -> (texts: [String], next: KeyCursor?) {
    let position: IndexPosition? = try cursor?.position()
    let (texts, next) = try using { try $0.texts(after: position, limit: limit) }
    return (texts, next.map { KeyCursor($0) })
  }

  func totalSize() throws -> Int { try using { try $0.totalSize() } }
  var knownSize: Int {
    guard let control = opened?.object.control else { return 0 }
    return control.logBytes + control.fileBytes
  }
}
