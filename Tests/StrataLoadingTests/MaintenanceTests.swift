import Strata
import StrataCore
import TestSupport
import Testing

@testable import StrataLoading

@Suite("Maintenance: sweeps and shutting down", .timeLimit(.minutes(5)), .endsInTime)
struct MaintenanceTests {
  typealias Faulty = FaultyStorage<MemoryStorage<String, Int>>

  /// A store that counts how often it is closed.
  private final class Server: SimpleStorage, StorageLifecycle {
    let entries = DictionaryStorage<String, Int>()
    let closings = Locked(0)

    func close() { closings.withLock { $0 += 1 } }
    func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
      if closings.withLock({ $0 > 0 }) { throw StorageError.backendFailed }
      return try await entries.entryIfPresent(forKey: key)
    }
    func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
      if closings.withLock({ $0 > 0 }) { throw StorageError.backendFailed }
      try await entries.setObject(object, forKey: key, expiry: expiry)
    }
    func removeObject(forKey key: String) async throws { try await entries.removeObject(forKey: key) }
    func removeAll() async throws { try await entries.removeAll() }
    func removeExpiredObjects() async throws { try await entries.removeExpiredObjects() }
    func keys() async throws -> [String] { try await entries.keys() }
  }

  @Test("expired entries are removed at each interval, until the task is cancelled")
  func sweeps() async throws {
    let time = ManualClock()
    let memory = MemoryStorage<String, Int>(config: MemoryConfig(clock: time.clock))
    let maintenance = StorageMaintenance(of: [memory], sweepInterval: .seconds(60), clock: time)
    let run = Task { try await maintenance.run() }
    for _ in 0..<2 {
      await time.sleepers(1)
      try await memory.setObject(1, forKey: "a", expiry: .seconds(10))
      time.advance(by: .seconds(60))
      await until { memory.count == 0 }
    }
    run.cancel()
    try await run.value
  }

  @Test("a sweep that fails is reported, and the next one takes place")
  func failingSweep() async throws {
    let time = ManualClock()
    let faulty = Faulty(MemoryStorage(), seed: 1, clock: time)
    let failures = Locked<[String]>([])
    let maintenance = StorageMaintenance(of: [faulty], clock: time) { error, store in
      failures.withLock { $0.append("\(store) \(error is Faulty.Fault)") }
    }
    faulty.isDown = true
    let run = Task { try await maintenance.run() }
    for number in 1...2 {
      await time.sleepers(1)
      time.advance(by: .seconds(60))
      await until { failures.withLock { $0.count } == number }
    }
    #expect(failures.withLock { Set($0) } == ["FaultyStorage true"])
    try await maintenance.shutDown()
    try await run.value
  }

  @Test("a cancelled run waits for loads in flight, then closes the connections, once")
  func loads() async throws {
    let (server, source) = (Server(), Source())
    let gate = source.stop()
    let users = server.loading(LoadPolicy(freshFor: .seconds(10)), source.load)
    let maintenance = StorageMaintenance(of: [users, server], sweepInterval: nil)
    let run = Task { try await maintenance.run() }
    let reader = Task { try await users.object(forKey: "a") }
    await gate.arrivals(1)
    run.cancel()
    await until { users.engine.flights.waiting == 2 }
    #expect(server.closings.withLock { $0 } == 0)
    gate.open()
    try await run.value
    #expect(try await reader.value == 1)
    #expect(try await server.entries.object(forKey: "a") == 1)
    try await maintenance.shutDown()
    try await maintenance.run()
    #expect(server.closings.withLock { $0 } == 1)
    await #expect(throws: StorageError.backendFailed) { try await server.object(forKey: "a") }
  }

  @Test("pending writes are made, also if the store answers only at the second attempt")
  func replay() async throws {
    let time = ManualClock()
    let memory = MemoryStorage<String, Int>()
    let faulty = Faulty(memory, seed: 1, clock: time)
    let queued = faulty.replaying(backoff: .fixed(.seconds(1)), clock: time)
    faulty.isDown = true
    try await queued.setObject(1, forKey: "a")
    await time.sleepers(1)
    let maintenance = StorageMaintenance(of: [queued], clock: time)
    let shutdown = Task { try await maintenance.shutDown() }
    // The retry of the store, the limit of the shutdown, and the pause after its first attempt.
    await time.sleepers(3)
    faulty.isDown = false
    time.advance(by: .seconds(1))
    try await shutdown.value
    #expect(queued.waitingWrites == 0)
    #expect(try await memory.object(forKey: "a") == 1)
  }

  @Test("what takes longer than the limit is given up and named, and the connections are closed")
  func limit() async throws {
    let (time, server, source) = (ManualClock(), Server(), Source())
    let gate = source.stop()
    let users = server.loading(LoadPolicy(freshFor: .seconds(10)), source.load)
    let reader = Task { try await users.object(forKey: "a") }
    await gate.arrivals(1)
    let maintenance = StorageMaintenance(of: [users], shutdownLimit: .seconds(3), clock: time)
    let shutdown = Task { try await maintenance.shutDown() }
    await time.sleepers(1)
    time.advance(by: .seconds(3))
    let error = await #expect(throws: StorageError.self) { try await shutdown.value }
    #expect(error == .timedOut)
    #expect(error?.message.contains("LoadingStorage (1)") == true)
    #expect(server.closings.withLock { $0 } == 1)
    await #expect(throws: StorageError.timedOut) { try await maintenance.shutDown() }
    gate.open()
    #expect(try await reader.value == 1)
  }
}
