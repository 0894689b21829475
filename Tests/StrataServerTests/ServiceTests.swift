#if Server
  import InMemoryLogging
  import Logging
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import StrataCore
  import StrataLoading
  import StrataMemory
  import StrataServer
  import Testing

  @Suite("Service") struct ServiceTests {
    let handler = InMemoryLogHandler()
    var logger: Logger { Logger(label: "test") { [handler] _ in handler } }

    /// A loader that waits until it is let go.
    private final class Source: Sendable {
      let (begun, beginning) = AsyncStream<Void>.makeStream()
      let (released, releasing) = AsyncStream<Void>.makeStream()

      func load(_ key: String) async throws -> Int {
        beginning.yield()
        for await _ in released { break }
        return 1
      }
    }

    @Test("a graceful shutdown waits for loads in flight, and their callers get their values")
    func gracefulShutdown() async throws {
      let source = Source()
      let loading = MemoryStorage<String, Int>().loading(value: { try await source.load($0) })
      let service = StorageService(of: [loading], logger: logger)
      try await testGracefulShutdown { trigger in
        let run = Task { try await service.run() }
        let reader = Task { try await loading.object(forKey: "a") }
        for await _ in source.begun { break }
        trigger.triggerGracefulShutdown()
        source.releasing.yield()
        try await run.value
        #expect(loading.loadsInFlight == 0)
        #expect(try await reader.value == 1)
      }
    }

    @Test("a group of services ends it, and it can be run again without harm")
    func group() async throws {
      let time = ManualClock()
      let service = StorageService(of: [MemoryStorage<String, Int>()], logger: logger, clock: time)
      let group = ServiceGroup(services: [service], logger: logger)
      let run = Task { try await group.run() }
      await time.sleepers(1)
      await group.triggerGracefulShutdown()
      try await run.value
      try await service.run()
    }

    @Test("expired entries are swept, and a sweep that fails is a warning")
    func sweeps() async throws {
      let time = ManualClock()
      let memory = MemoryStorage<String, Int>(config: MemoryConfig(clock: time.clock))
      try await memory.setObject(1, forKey: "a", expiry: .seconds(10))
      let remote = Remote()
      remote.fails(with: Secret.error)
      let service = StorageService(
        of: [memory, remote], sweepInterval: .seconds(60), logger: logger, clock: time)
      let run = Task { try await service.run() }
      await time.sleepers(1)
      time.advance(by: .seconds(60))
      await time.sleepers(1)
      #expect(memory.count == 0)
      #expect(handler.entries.map(\.level) == [.warning])
      #expect(handler.entries.first?.metadata["strata.store"] == "RedisStorage")
      Secret.expectNone(in: "\(handler.entries)")
      run.cancel()
      try await run.value
    }
  }
#endif
