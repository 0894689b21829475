#if Server
  import InMemoryTracing
  import StrataCore
  import StrataLoading
  import StrataMemory
  import StrataServer
  import Testing
  import Tracing

  @Suite("Spans") struct SpanTests {
    let remote = Remote()
    let tracer = InMemoryTracer()

    private var chain: some StorageAware<String, Int> {
      MemoryStorage<String, Int>().combined(with: remote)
    }

    private func span(_ name: String) throws -> FinishedInMemorySpan {
      try #require(tracer.finishedSpans.first { $0.operationName == name })
    }

    @Test(
      "a call to a server is a span inside the caller's, with OpenTelemetry's attributes; a hit in memory is none"
    )
    func client() async throws {
      let chain = chain
      chain.trace(to: tracer, as: "users")
      try await tracer.withSpan("request") { _ in
        try await chain.setObject(1, forKey: "a")
        _ = try await chain.object(forKey: "a")
        try await chain.setObjects(["a": 1, "b": 2])
      }
      let sets = tracer.finishedSpans.filter { $0.operationName == "set users" }
      #expect(tracer.finishedSpans.count == 3 && sets.count == 2)
      let request = try span("request")
      for set in sets {
        #expect(set.kind == .client)
        #expect(set.parentSpanID == request.spanID && set.traceID == request.traceID)
        #expect(set.attributes.get("db.system.name") == .string("redis"))
        #expect(set.attributes.get("db.operation.name") == .string("set"))
        #expect(set.attributes.get("strata.tier") == .string("redis"))
        #expect(set.status == nil)
      }
      #expect(sets[1].attributes.get("db.operation.batch.size") == .int64(2))
    }

    @Test("a load is a span inside that of its first caller, and the loader's spans are inside it")
    func load() async throws {
      let loading = MemoryStorage<String, Int>().loading(value: { [tracer] _ in
        await tracer.withSpan("query") { _ in
          await Task.yield()
          return 1
        }
      })
      loading.trace(to: tracer, as: "users")
      try await tracer.withSpan("request") { _ in _ = try await loading.object(forKey: "a") }
      let load = try span("load users")
      #expect(load.kind == .internal)
      #expect(load.parentSpanID == (try span("request")).spanID)
      #expect(try span("query").parentSpanID == load.spanID)
      #expect(load.links.isEmpty)
    }

    @Test("a load in the background has no parent, but a link to the read that started it")
    func background() async throws {
      let time = ManualClock()
      let memory = MemoryStorage<String, Cached<Int>>(config: MemoryConfig(clock: time.clock))
      let loading = memory.loading(
        LoadPolicy(freshFor: .seconds(10), refreshAhead: .at(0.8)), clock: time, value: { _ in 1 })
      _ = try await loading.object(forKey: "a")
      loading.trace(to: tracer, as: "users")
      time.advance(by: .seconds(8))
      try await tracer.withSpan("request") { _ in _ = try await loading.object(forKey: "a") }
      try await loading.finish()
      let load = try span("load users")
      let request = try span("request")
      #expect(load.parentSpanID == nil && load.traceID != request.traceID)
      #expect(load.links.map(\.context.inMemorySpanContext?.spanID) == [request.spanID])
    }

    @Test(
      "a failed call says the type of its error, and no span contains a key, a value or a text of an error")
    func failure() async throws {
      let chain = chain
      let token = chain.trace(to: tracer, as: "users")
      remote.fails(with: Secret.error)
      await #expect(throws: StorageError.decodingFailed) {
        try await chain.setObject(Secret.value, forKey: Secret.key)
      }
      let set = try span("set users")
      #expect(set.attributes.get("error.type") == .string("decodingFailed"))
      #expect(set.status?.code == .error)
      Secret.expectNone(in: "\(set)")
      token.cancel()
      await #expect(throws: StorageError.decodingFailed) { try await chain.object(forKey: "b") }
      #expect(tracer.finishedSpans.count == 1)
    }
  }
#endif
