#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Dispatch
import StrataCore
import Testing

@testable import StrataDisk

struct DiskLimitTests {
  let folder: TestFolder
  let time = ManualClock()

  init() throws { folder = try TestFolder() }

  /// A value for which the file of a one-byte key has 100 bytes.
  private let value = bytes(35)

  private func fill(_ disk: DiskStorage<String>, _ keys: String...) throws {
    for key in keys { try disk.setObject(value, forKey: key, expiry: nil) }
  }

  /// Changes the dates of files, so that they appear to have been written one after the other, long ago.
  private func age(_ keys: String...) throws {
    for (seconds, key) in keys.enumerated() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(1000 + seconds))],
        ofItemAtPath: folder.file(of: key).path)
    }
  }

  @Test func theLeastRecentlyUsedMakesRoom() throws {
    let disk = try folder.open(maxSize: 300)
    try fill(disk, "a", "b", "c")
    #expect(disk.totalSize == 300)
    _ = try disk.object(forKey: "a")
    try fill(disk, "d")
    #expect(try Set(disk.keys()) == ["a", "c", "d"])
    #expect(try folder.entryBytes() == 300)
    #expect(try disk.entryIfPresent(forKey: "b") == nil)
    _ = try disk.expiryIfPresent(forKey: "c")
    try fill(disk, "e")
    #expect(try Set(disk.keys()) == ["a", "d", "e"])
  }

  @Test func aLargeValueTakesThePlaceOfSeveral() throws {
    let disk = try folder.open(maxSize: 300)
    try fill(disk, "a", "b", "c")
    try disk.setObject(bytes(100), forKey: "d", expiry: nil)
    #expect(try Set(disk.keys()) == ["c", "d"])
    #expect(try folder.entryBytes() == 265)
  }

  @Test func anOverwriteCountsTheDifference() throws {
    let disk = try folder.open(maxSize: 300)
    try fill(disk, "a", "b", "c", "a", "b", "c")
    #expect(try Set(disk.keys()) == ["a", "b", "c"])
    try disk.setObject(bytes(36), forKey: "a", expiry: nil)
    #expect(try Set(disk.keys()) == ["a", "c"])
    #expect(try folder.entryBytes() == 201)
  }

  @Test func whatCannotFitIsRefusedAndNothingIsLost() throws {
    let disk = try folder.open(maxSize: 300)
    try fill(disk, "a", "b")
    let error = failure { try disk.setObject(bytes(236), forKey: "a", expiry: nil) }
    #expect(error == .tooLarge)
    #expect(error?.message.contains("301") == true && error?.message.contains("300") == true)
    #expect(try disk.object(forKey: "a") == value)
    #expect(try Set(disk.keys()) == ["a", "b"])
    try disk.setObject(bytes(235), forKey: "a", expiry: nil)
    #expect(try disk.keys() == ["a"])
  }

  @Test func theExpiredMakeRoomFirst() throws {
    let disk = try folder.open(maxSize: 300, clock: time.clock)
    try fill(disk, "a")
    try disk.setObject(value, forKey: "b", expiry: .seconds(10))
    try disk.setObject(value, forKey: "c", expiry: .seconds(5))
    time.advance(by: 20)
    try fill(disk, "d")
    #expect(try folder.names().count == 3)
    #expect(try disk.entryIfPresent(forKey: "c") == nil)
    try fill(disk, "e")
    #expect(try Set(disk.keys()) == ["a", "d", "e"])
  }

  @Test func afterARestartTheOldestFileGoes() throws {
    try fill(folder.open(), "a", "b", "c")
    try age("b", "c", "a")
    try fill(folder.open(maxSize: 300), "d")
    #expect(try Set(folder.open().keys()) == ["c", "a", "d"])
  }

  @Test func readsBeforeTheFirstWriteCount() throws {
    try fill(folder.open(), "a", "b", "c")
    try age("a", "b", "c")
    let disk = try folder.open(maxSize: 300)
    _ = try disk.object(forKey: "a")
    try fill(disk, "d")
    #expect(try Set(disk.keys()) == ["a", "c", "d"])
  }

  @Test func aReadWithoutALimitChangesNothing() throws {
    let disk = try folder.open()
    try fill(disk, "a")
    try age("a")
    _ = try disk.object(forKey: "a")
    #expect(try FileStatus(of: folder.file(of: "a").path)?.modified == 1_000_000_000_000)
    let engine = disk.engine as? FileStore
    #expect(try #require(engine).index.withLock { $0 == nil })
  }

  @Test func aSmallerLimitAppliesFromTheNextWrite() throws {
    try fill(folder.open(), "a", "b", "c", "d", "e")
    try age("a", "b", "c", "d", "e")
    try fill(folder.open(maxSize: 250), "f")
    #expect(try Set(folder.open().keys()) == ["e", "f"])
  }

  @Test func aVictimThatIsGoneAlreadyDoesNotMatter() throws {
    let disk = try folder.open(maxSize: 200)
    try fill(disk, "a", "b")
    try FileManager.default.removeItem(at: folder.file(of: "a"))
    try fill(disk, "c")
    #expect(try Set(disk.keys()) == ["b", "c"])
    #expect(try disk.totalSize == folder.entryBytes())
  }

  /// Four threads write entries of all sizes. After every write, the sizes of the files are added up while no thread
  /// writes.
  @Test func itHoldsAfterEveryWriteOfManyThreads() throws {
    let limit = 20_000
    let disk = try folder.open(maxSize: UInt(limit), clock: time.clock)
    let gate = ReadWriteGate()
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      var random = Seeded(state: UInt64(worker))
      do {
        for round in 0..<150 {
          let key = "\(Int.random(in: 0..<40, using: &random))"
          let count = Int.random(in: 0..<4000, using: &random)
          let expiry: Expiry = round % 3 == 0 ? .seconds(Double(round % 5)) : .never
          try gate.shared { try disk.setObject(bytes(count, seed: round), forKey: key, expiry: expiry) }
          #expect(disk.totalSize <= limit)
          if round % 10 == 0 { time.advance(by: 1) }
          try gate.exclusive {
            let size = try folder.entryBytes()
            #expect(size <= limit)
            #expect(disk.totalSize == size)
          }
          _ = try disk.entryIfPresent(forKey: key)
        }
      } catch { Issue.record(error) }
    }
    #expect(try folder.entryBytes() > limit / 2)
    #expect(try Set(folder.open(clock: time.clock).keys()) == Set(disk.keys()))
  }

  @Test func removalsAndSweepsMakeRoomToo() throws {
    let disk = try folder.open(maxSize: 300, clock: time.clock)
    try fill(disk, "a", "b")
    try disk.setObject(value, forKey: "c", expiry: .seconds(1))
    try disk.removeObject(forKey: "a")
    time.advance(by: 1)
    try disk.removeExpiredObjects()
    try fill(disk, "d", "e")
    #expect(try Set(disk.keys()) == ["b", "d", "e"])
  }
}

/// A read-write lock: it admits many threads at a time, or one alone.
///
/// Unchecked `Sendable`: the lock is made for use from many threads, and its address never changes.
final class ReadWriteGate: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  init() { precondition(pthread_rwlock_init(lock, nil) == 0) }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func shared(_ body: () throws -> Void) rethrows {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    try body()
  }

  func exclusive(_ body: () throws -> Void) rethrows {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    try body()
  }
}
