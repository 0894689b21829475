import Foundation
import Strata
import StrataCore
import StrataSQLite
import TestSupport
import StrataLeases
import Testing

@Suite("Leases by locks on a file", .timeLimit(.minutes(5)), .endsInTime)
struct FileLeaseTests {
  let folder = TemporaryFolder()

  /// The leases of one process; all have one clock.
  func process(_ time: @escaping @Sendable () -> UInt64) -> FileLeases<String> {
    FileLeases(now: time) { [folder] in folder.url.appending(path: "leases").path }
  }

  @Test("one owner at a time has the lease of a key, until it releases the lease or its process ends")
  func exclusive() async throws {
    let now = Locked<UInt64>(0)
    let one = process { now.withLock { $0 } }
    var other: FileLeases<String>? = process { now.withLock { $0 } }
    let lease = try #require(try await one.acquire("a", for: .seconds(1)))
    #expect(try await other?.acquire("a", for: .seconds(1)) == nil)
    #expect(try await one.acquire("a", for: .seconds(1)) == nil)
    #expect(try await one.extend(lease, of: "a", for: .seconds(1)))
    try lease.check()
    try await one.release(lease, of: "a")
    #expect(throws: StorageError.leaseLost) { try lease.check() }
    #expect(try await other?.acquire("a", for: .seconds(1)) != nil)
    // Simulates the death of the process: the lease is not released.
    other = nil
    #expect(try await one.acquire("a", for: .seconds(1)) != nil)
  }

  @Test("an owner that does not extend its lease loses it, even while it holds the lock")
  func takenOver() async throws {
    let now = Locked<UInt64>(0)
    let clock: @Sendable () -> UInt64 = { now.withLock { $0 } }
    let (stopped, next, third) = (process(clock), process(clock), process(clock))
    let lost = try #require(try await stopped.acquire("a", for: .seconds(1)))
    now.withLock { $0 += 1_000_000_001 }
    let lease = try #require(try await next.acquire("a", for: .seconds(1)))
    #expect(throws: StorageError.leaseLost) { try lost.check() }
    #expect(try await !stopped.extend(lost, of: "a", for: .seconds(1)))
    try await stopped.release(lost, of: "a")
    try lease.check()
    #expect(try await third.acquire("a", for: .seconds(1)) == nil)
    try await next.release(lease, of: "a")
    #expect(try await third.acquire("a", for: .seconds(1)) != nil)
  }

  @Test("leases from before a restart of the machine, which resets the clock, do not last for hours")
  func restarted() async throws {
    let now = Locked<UInt64>(1 << 60)
    let clock: @Sendable () -> UInt64 = { now.withLock { $0 } }
    let (stopped, next, third) = (process(clock), process(clock), process(clock))
    _ = try await stopped.acquire("a", for: .seconds(1))
    now.withLock { $0 += 1_000_000_001 }
    _ = try #require(try await next.acquire("a", for: .seconds(1)))
    now.withLock { $0 = 1000 }
    #expect(try await third.acquire("a", for: .seconds(1)) != nil)
  }

  enum Store: String, CaseIterable {
    case disk, files, sqlite

    func make(in folder: URL) throws -> any SyncStorageAware<String, Data> {
      switch self {
      case .disk: try DiskStorage<String>(config: DiskConfig(name: "entries", directory: folder))
      case .files:
        try DiskStorage<String>(config: DiskConfig(name: "entries", directory: folder, layout: .files))
      case .sqlite: try SQLiteStorage<String>(config: SQLiteConfig(path: folder.path + "/entries.db"))
      }
    }
  }

  @Test(
    "stores refuse writes under a lease that has ended, single ones and batches", arguments: Store.allCases)
  func refused(_ kind: Store) async throws {
    try await expectRefusalsWithoutLease(try kind.make(in: folder.url))
  }

  @Test(
    "a lease is passed on with a write that a chain executes on another thread", arguments: [0, 3])
  func handedOver(earlier writes: Int) async throws {
    let disk = try DiskStorage<String>(config: DiskConfig(name: "entries", directory: folder.url))
    let chain = Storage(back: disk, transformer: .codable(Int.self)).async
    // Once the log is open, a write can complete without waiting.
    for number in 0..<writes { try await chain.setObject(number, forKey: "other", expiry: nil) }
    let leases = try #require(chain.leases)
    let lease = try #require(try await leases.acquire("a", for: .seconds(100)))
    try await leases.release(lease, of: "a")
    await #expect(throws: StorageError.leaseLost) {
      try await lease.whileHeld { try await chain.setObject(1, forKey: "a", expiry: nil) }
    }
  }
}
