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

/// What `.power` promises, as far as it can be seen without cutting the power: how far the log is known to be on the disk.
struct DiskPowerTests {
  private func session(of disk: DiskStorage<String>) throws -> LogSession {
    let store = try #require(disk.engine as? LogStore<String>)
    return try store.log.using { $0 }
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

  @Test func withoutItNothingIsSynced() throws {
    let disk = try TestFolder(.automatic).open()
    let session = try session(of: disk)
    let start = session.synced.withLock { $0.position }
    try disk.setObject(bytes(10), forKey: "k", expiry: nil)
    #expect(session.synced.withLock { $0.position } == start)
  }

  /// Whoever waits for bytes that could not be made stable hears of it, also if the system reports it only once.
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
