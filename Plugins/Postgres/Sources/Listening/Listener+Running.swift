import StrataCore
import StrataNetwork

extension Listener {
  /// Listens until the client is closed. When a connection ends, another one is opened.
  func run() async {
    var backoff = Backoff()
    while !Task.isCancelled {
      let start = ContinuousClock.now
      await serve()
      notifyLost()
      // After a connection that lasted for a second, the delay starts again at its minimum.
      if .now - start > .seconds(1) { backoff.reset() }
      var random = SystemRandomNumberGenerator()
      let delay = backoff.delay(using: &random)
      do { try await Task.sleep(for: delay) } catch { return }
    }
  }

  /// Listens over one connection, until the connection ends or a test notification does not arrive over it.
  private func serve() async {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    // A late callback of an earlier connection needs no check: a change that it reports has happened too.
    let connection = Connection(
      to: config.listening ?? config.address, config, Preparing(false),
      observer: Connection.Observer(
        onEnd: { [weak self] _, reason, _ in
          self?.notifyLost()
          continuation.yield(.ended(reason))
          self?.state.withLock { $0.test?.waiter }?.finish(.failure(reason))
        },
        onNotice: { [weak self] in self?.handle($0, $1) }))
    defer { connection.close(.closed) }
    let isClosed = state.withLock { state in
      state.events = continuation
      state.channels = [:]
      return state.isClosed
    }
    if isClosed { return }
    var subscribed: Set<Int> = []
    do {
      try await execute("LISTEN \(quoted(ownChannel))", on: connection)
      try await listen(&subscribed, on: connection)
      tick(continuation)
      for await event in events {
        switch event {
        case .added: break
        case .tick:
          try await test()
          for number in subscribed { try await check(number) }
          tick(continuation)
        case .ended: return
        }
        try await listen(&subscribed, on: connection)
      }
    } catch {
      // `run` opens the next connection. Until it is ready, the stores serve nothing from memory.
    }
  }

  /// Listens for the stores that were added.
  private func listen(_ subscribed: inout Set<Int>, on connection: Connection) async throws {
    let subscribers = state.withLock { $0.subscribers }
    for (number, subscriber) in subscribers.enumerated() where !subscribed.contains(number) {
      do {
        let channel = try await subscriber.prepare()
        try await execute("LISTEN \(quoted(channel))", on: connection)
        state.withLock { $0.channels[channel, default: []].append(number) }
        try await test()
      } catch let error as StorageError where (error.cause as? PostgresServerError) != nil {
        // The server may allow other stores' tables. The next test tries this one again.
        subscriber.notify(.refused(error))
        continue
      }
      subscribed.insert(number)
      subscriber.notify(.restored)
    }
  }

  /// Checks the table of a store. A server that refuses this is asked again at the next test.
  private func check(_ number: Int) async throws {
    let subscriber = state.withLock { $0.subscribers[number] }
    do { try await subscriber.check() } catch let error as StorageError
      where (error.cause as? PostgresServerError) != nil
    {
      subscriber.notify(.all)
    }
  }

  private func tick(_ continuation: AsyncStream<Event>.Continuation) {
    EventLoop.shared.schedule(at: .now + config.heartbeat) { continuation.yield(.tick) }
  }

  /// Sends a notification over the pool, and waits until it arrives over the listening connection.
  private func test() async throws {
    let nonce = "\(UInt64.random(in: .min ... .max))"
    let waiter = Pending<Void>(deadline: .now + config.heartbeat)
    state.withLock { $0.test = (nonce, waiter) }
    let statement = Statement(Self.notify) {
      $0.append(ownChannel.utf8)
      $0.append(nonce.utf8)
    }
    _ = try await pool.run(statement, by: waiter.deadline)
    try await waiter.wait(orThrow: PostgresConnectionError.timedOut)
  }

  private static let notify = Query("SELECT pg_notify($1, $2)", [.text, .text])

  private func execute(_ text: String, on connection: Connection) async throws {
    let call = Call(Statement(Query(text)), deadline: .now + config.timeout)
    _ = try await call.wait {
      do throws(Unsent) { try connection.add(call) } catch { call.finish(.failure(error)) }
    }
  }
}

extension Listener.Message {
  /// Reads a notification of a table's trigger.
  init(payload: String) {
    let codes = payload.split(separator: ",", omittingEmptySubsequences: false)
    let keys = codes.compactMap { [UInt8](base64: $0) }
    self = keys.count == codes.count ? .keys(keys) : .all
  }
}
