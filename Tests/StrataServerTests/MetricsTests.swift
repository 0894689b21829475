#if Server
  import MetricsTestKit
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import StrataCore
  import StrataLoading
  import StrataMemory
  import StrataServer
  import Testing

  @Suite("Metrics") struct MetricsTests {
    let remote = Remote()
    let factory = TestMetrics()

    private var chain: some StorageAware<String, Int> {
      MemoryStorage<String, Int>().combined(with: remote)
    }

    private func count(_ name: String, _ tier: String, _ more: (String, String)...) throws -> Int64 {
      try factory.expectCounter("strata.tier.\(name)", [("store", "users"), ("tier", tier)] + more).totalValue
    }

    @Test("each update adds what has happened since the last one, by tier")
    func counters() async throws {
      let chain = chain
      let metrics = StorageMetrics(of: chain, as: "users", to: factory)
      for round in 1...2 {
        let key = "\(round)"
        try await remote.setObject(1, forKey: key, expiry: nil)
        _ = try await chain.object(forKey: key)
        _ = try await chain.object(forKey: key)
        try await chain.setObject(2, forKey: key)
        metrics.update()
        metrics.update()
        let number = Int64(round)
        #expect(try count("reads", "memory", ("found", "hit")) == number)
        #expect(try count("reads", "memory", ("found", "miss")) == number)
        #expect(try count("reads", "redis", ("found", "hit")) == number)
        #expect(try count("promotions", "memory") == number)
        #expect(try count("writes", "redis") == number)
        #expect(
          try factory.expectMeter("strata.tier.entries", [("store", "users"), ("tier", "memory")]).lastValue
            == Double(round))
      }
    }

    @Test("calls to a server are timed by OpenTelemetry's name in seconds, failed ones with their type")
    func durations() async throws {
      let chain = chain
      let metrics = StorageMetrics(of: chain, as: "users", to: factory)
      try await chain.setObject(1, forKey: "a")
      remote.fails(with: Remote.Down())
      await #expect(throws: Remote.Down.self) { try await chain.setObject(1, forKey: "a") }
      let dimensions = [("store", "users"), ("db.system.name", "redis"), ("db.operation.name", "set")]
      let name = "db.client.operation.duration"
      let times = try factory.expectRecorder(name, dimensions).values
      #expect(times.count == 1 && times.allSatisfy { (0..<10).contains($0) })
      #expect(try factory.expectRecorder(name, dimensions + [("error.type", "Down")]).values.count == 1)
      withExtendedLifetime(metrics) {}
    }

    @Test("loads are timed")
    func loads() async throws {
      let loading = MemoryStorage<String, Int>().loading(value: { _ in 1 })
      let metrics = StorageMetrics(of: loading, as: "users", to: factory)
      _ = try await loading.object(forKey: "a")
      metrics.update()
      #expect(try factory.expectRecorder("strata.load.duration", [("store", "users")]).values.count == 1)
      #expect(try count("reads", "loading", ("found", "miss")) == 1)
    }

    @Test("as a service they are updated at each interval, and at a graceful shutdown")
    func service() async throws {
      let time = ManualClock()
      let chain = chain
      let metrics = StorageMetrics(of: chain, as: "users", to: factory, every: .seconds(10), clock: time)
      try await testGracefulShutdown { trigger in
        let run = Task { try await metrics.run() }
        await time.sleepers(1)
        try await chain.setObject(1, forKey: "a")
        time.advance(by: .seconds(10))
        await time.sleepers(1)
        #expect(try count("writes", "redis") == 1)
        try await chain.setObject(1, forKey: "a")
        trigger.triggerGracefulShutdown()
        try await run.value
        #expect(try count("writes", "redis") == 2)
      }
    }

    @Test("no dimension contains a key or a value")
    func secrets() async throws {
      let chain = chain
      let metrics = StorageMetrics(of: chain, as: "users", to: factory)
      try await chain.setObject(Secret.value, forKey: Secret.key)
      remote.fails(with: Secret.error)
      await #expect(throws: StorageError.decodingFailed) {
        try await chain.setObject(Secret.value, forKey: Secret.key)
      }
      metrics.update()
      let texts =
        factory.counters.map { "\($0.label) \($0.dimensions)" }
        + factory.recorders.map { "\($0.label) \($0.dimensions)" }
      #expect(texts.count > 10)
      Secret.expectNone(in: texts.joined())
    }
  }
#endif
