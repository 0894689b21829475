#if Server
  import InMemoryLogging
  import Logging
  import StrataCore
  import StrataLoading
  import StrataMemory
  import StrataServer
  import Testing

  @Suite("Logs") struct LoggingTests {
    let remote = Remote()
    let handler: InMemoryLogHandler
    let logger: Logger

    init() {
      var handler = InMemoryLogHandler()
      handler.logLevel = .trace
      self.handler = handler
      logger = Logger(label: "test") { [handler] _ in handler }
    }

    private var chain: some StorageAware<String, Int> {
      MemoryStorage<String, Int>().combined(with: remote)
    }

    private var lines: [String] {
      handler.entries.map { "\($0.level) \($0.metadata["strata.tier"] ?? "") \($0.message)" }
    }

    @Test("each event has its level, its store and its tier")
    func levels() async throws {
      let chain = chain
      chain.log(to: logger, as: "users")
      try await remote.setObject(1, forKey: "a", expiry: nil)
      _ = try await chain.object(forKey: "a")
      _ = try await chain.object(forKey: "a")
      try await chain.removeObject(forKey: "a")
      #expect(
        lines == [
          "debug memory miss", "trace redis hit", "debug memory promotion", "trace memory hit",
          "debug redis removal", "debug memory removal",
        ])
      #expect(handler.entries.allSatisfy { $0.metadata["strata.store"] == "users" })
      #expect(handler.entries[1].metadata["strata.duration"] != nil)
    }

    @Test("a logger of the usual level gets no line of operations that succeed")
    func quiet() async throws {
      var logger = logger
      logger.logLevel = .info
      let chain = chain
      chain.log(to: logger)
      for _ in 0..<10 {
        try await chain.setObject(1, forKey: "a")
        _ = try await chain.objectIfPresent(forKey: "b")
      }
      #expect(lines == [])
    }

    @Test("a server that is down is one line in an interval, with the number of those left out")
    func repeats() async throws {
      let time = ManualClock()
      let chain = chain
      chain.log(to: logger, repeatInterval: .seconds(10), clock: time)
      let down = StorageError.backendFailed.with("no reply", place: "redis.internal:6379")
      remote.fails(with: down)
      for key in 0..<100 {
        await #expect(throws: StorageError.backendFailed) { try await chain.setObject(1, forKey: "\(key)") }
      }
      time.advance(by: .seconds(10))
      await #expect(throws: StorageError.backendFailed) { try await chain.setObject(1, forKey: "b") }
      let failures = handler.entries.filter { $0.level == .warning }
      #expect(failures.map(\.message) == ["a store operation failed", "a store operation failed"])
      #expect(failures.map { $0.metadata["strata.repeated"] } == [nil, "99"])
      #expect(failures[0].metadata["error.type"] == "backendFailed")
      #expect(failures[0].metadata["server.address"] == "redis.internal:6379")
    }

    @Test("failures of loads are warnings, stale values information")
    func loads() async throws {
      let time = ManualClock()
      let memory = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock))
      let source = Remote()
      try await source.setObject(1, forKey: "a", expiry: nil)
      let loading = memory.loading(
        LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)), clock: time,
        value: { try await source.object(forKey: $0) })
      loading.log(to: logger)
      _ = try await loading.object(forKey: "a")
      time.advance(by: .seconds(20))
      source.fails(with: Remote.Down())
      #expect(try await loading.object(forKey: "a") == 1)
      #expect(
        lines.filter { $0.contains("loading") } == [
          "debug loading miss", "debug loading loaded", "debug loading miss", "warning loading a load failed",
          "info loading a stale value was returned",
        ])
      #expect(handler.entries.last { $0.level == .warning }?.metadata["error.type"] == "Down")
    }

    @Test("keys are logged only if asked, values and causes of errors never", arguments: [false, true])
    func secrets(showsKeys: Bool) async throws {
      let chain = chain
      let token = chain.log(to: logger, showsKeys: showsKeys)
      try await chain.setObject(Secret.value, forKey: Secret.key)
      _ = try await chain.object(forKey: Secret.key)
      remote.fails(with: Secret.error)
      await #expect(throws: StorageError.decodingFailed) {
        try await chain.setObject(Secret.value, forKey: Secret.key)
      }
      #expect(!handler.entries.isEmpty)
      let text = "\(handler.entries)"
      #expect(text.contains(Secret.key) == showsKeys)
      Secret.expectNone(in: text, but: showsKeys ? Secret.key : nil)
      token.cancel()
      handler.clear()
      remote.fails(with: nil)
      _ = try await chain.object(forKey: Secret.key)
      #expect(handler.entries == [])
    }
  }
#endif
