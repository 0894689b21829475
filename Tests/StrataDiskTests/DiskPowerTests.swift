#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Glibc
import StrataCore
import Synchronization
import Testing

@testable import StrataDisk

/// The guarantees of `.power`, as far as they can be tested without cutting the power: which part of the log is known
/// to be stable.
struct DiskPowerTests {
  private func session(of disk: DiskStorage<String>) throws -> LogSession {
    let store = try #require(disk.engine as? LogFolder)
    return try store.using { $0 }
  }

  @Test func aWriteReturnsWhenItIsStable() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(durability: .power)
    let session = try session(of: disk)
    for i in 0..<20 {
      try disk.setObject(bytes(i * 1000), forKey: "\(i)", expiry: nil)
      #expect(session.synced.withLock { $0.position } == session.control.tail)
      #expect(session.synced.withLock { $0.folderSegment } == session.control.tail.segment)
    }
    try disk.removeObject(forKey: "3")
    #expect(session.synced.withLock { $0.position } == session.control.tail)
    try disk.setObjects(["a": bytes(1), "b": bytes(100_000)], expiry: nil)
    #expect(session.synced.withLock { $0.position } == session.control.tail)
  }

  /// Stable records stay stable when a store without `.power` moves them: they are synced before their old segment is
  /// deleted.
  @Test func stableRecordsStayStableWhenMoved() throws {
    let folder = try TestFolder(.automatic)
    let stable = try folder.open(durability: .power)
    for key in 0..<3 { try stable.setObject(bytes(1000, seed: key), forKey: "\(key)", expiry: nil) }
    let disk = try folder.open()
    let session = try session(of: disk)
    let oldest = session.control.oldest
    for round in 0..<3000 { try disk.setObject(bytes(1000, seed: round), forKey: "other", expiry: nil) }
    #expect(session.control.oldest > oldest)
    // Synced at least up to the records that were moved before the segment was deleted.
    #expect(session.synced.withLock { $0.position.segment } >= session.control.oldest)
    for key in 0..<3 { #expect(try disk.object(forKey: "\(key)") == bytes(1000, seed: key)) }
  }

  /// A rebuilt control file assumes that stable records exist, so that they stay stable.
  @Test func aRebuiltControlFileAssumesStableRecords() throws {
    let folder = try TestFolder(.automatic)
    try folder.open(durability: .power).setObject(bytes(10), forKey: "k", expiry: nil)
    try FileManager.default.removeItem(at: folder.store.appending(path: "control"))
    #expect(try session(of: folder.open()).control.keepsStable)
    #expect(try !session(of: TestFolder(.automatic).open()).control.keepsStable)
  }

  @Test func withoutItNothingIsSynced() throws {
    let disk = try TestFolder(.automatic).open()
    let session = try session(of: disk)
    let start = session.synced.withLock { $0.position }
    try disk.setObject(bytes(10), forKey: "k", expiry: nil)
    #expect(session.synced.withLock { $0.position } == start)
  }

  /// Every caller that waits for bytes whose sync fails gets the error, even if the system reports it only once.
  @Test func afterAFailureTheNextWriteGoesElsewhere() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(durability: .power)
    let session = try session(of: disk)
    try disk.setObject(bytes(10), forKey: "a", expiry: nil)
    let tail = session.control.tail
    session.synced.withLock { $0.fail(upTo: tail, SystemError("fdatasync", folder.store.path, EIO)) }
    session.needsNewSegment.store(true, ordering: .releasing)
    #expect(throws: SystemError.self) { try session.sync(upTo: tail) }
    try disk.setObject(bytes(20), forKey: "b", expiry: nil)
    #expect(session.control.tail.segment == tail.segment + 1)
    #expect(throws: SystemError.self) { try session.sync(upTo: tail) }
    #expect(try folder.open().keys().count == 2)
  }
}
