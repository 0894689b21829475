import StrataCore
import StrataNetwork

/// A connection to a server, over which many calls are pipelined.
///
/// Calls may be added on any thread, which writes them itself if no other thread is writing. Everything else runs on
/// the loop's thread.
final class Connection: LoopClient {
  /// Callbacks to the owner of a connection, on the loop's thread.
  struct Observer: Sendable {
    /// Called before any call is sent.
    var onReady: @Sendable (Connection) -> Void = { _ in }
    /// Called before any call fails because of it. The last argument is the time at which the connection became ready,
    /// if it did.
    var onEnd: @Sendable (Connection, RedisConnectionError, ContinuousClock.Instant?) -> Void = { _, _, _ in }
    /// Called with a push message of the server, in order with the replies.
    var onPush: @Sendable (RESPValue) -> Void = { _ in }
  }

  enum Phase: Sendable {
    case connecting
    case greeting(Handshake)
    case ready(since: ContinuousClock.Instant)
    case closed
  }

  /// State that only the loop's thread accesses; the lock is never contended.
  struct Wire: ~Copyable {
    var phase = Phase.connecting
    /// Further addresses to try.
    var candidates: [SocketAddress] = []
    var lastFailure = "the name has no address"
    var token: PollToken?
    var decoder: RESPDecoder
    /// The server's identifier of the connection.
    var identity: ServerIdentity?
    /// Whether the connection ends as soon as no call is in flight.
    var isRetired = false
    var lastHeard = ContinuousClock.now
  }

  let number: Int
  let address: RedisAddress
  let config: RedisConfig
  let greeting: [RedisCommand]
  let encryption: Encryption
  let loop = EventLoop.shared
  let observer: Observer
  /// The abandoned writes to this server.
  let fence: Fence
  let mark = Fence.Mark()
  let wire: Locked<Wire>
  let pipeline: Locked<Pipeline>
  let transport = Locked<(any Transport)?>(nil)

  /// Creates a connection and starts to connect. It lives until it ends or is closed.
  init(
    _ number: Int, to address: RedisAddress, _ config: RedisConfig, greeting: [RedisCommand],
    encryption: Encryption, fence: Fence, limits: Pipeline.Limits = .init(), observer: Observer
  ) {
    self.number = number
    self.address = address
    self.config = config
    self.greeting = greeting
    self.encryption = encryption
    self.observer = observer
    self.fence = fence
    wire = Locked(Wire(decoder: RESPDecoder(limits: .init(size: config.maximumReplySize, dropsLarger: true))))
    pipeline = Locked(Pipeline(limits: limits))
    loop.execute { [self] in open() }
  }

  /// Queues a call. Throws if the connection has ended; nothing was sent then.
  func add(_ call: Call, _ parcel: RedisParcel) throws(RedisConnectionError) {
    let (nextStep, check) = try pipeline.withLock { (pipeline) throws(RedisConnectionError) in
      (try pipeline.add(call, parcel), pipeline.check(by: call.deadline))
    }
    if let check { expire(at: check) }
    perform(nextStep)
  }

  /// Sends a command of the connection itself, before calls that are added later. No task waits for the reply; it
  /// finishes `call`.
  func addOwn(_ command: RedisCommand, _ call: Call) {
    perform(pipeline.withLock { $0.isClosed ? .nothing : $0.addOwn(command, call) })
  }

  /// Whether the handshake is complete.
  var isReady: Bool {
    wire.withLock { wire in
      if case .ready = wire.phase { return true }
      return false
    }
  }

  /// Whether the connection has ended.
  var isClosed: Bool { pipeline.withLock { $0.isClosed } }

  /// Ends the connection. Waiting calls fail.
  func close(_ reason: RedisConnectionError) {
    loop.execute { [self] in end(reason) }
  }

  /// Ends the connection after the last reply to a call in flight.
  func retire() {
    loop.execute { [self] in
      wire.withLock { $0.isRetired = true }
      endIfRetired()
    }
  }

  /// Performs the action that the pipeline requests.
  func perform(_ nextStep: Pipeline.NextStep) {
    switch nextStep {
    case .nothing: break
    case .write: if !loop.requestFlushIfAwake(self), write() { loop.requestFlush(self) }
    case .requestFlush: loop.requestFlush(self)
    }
  }

  func flush() { while write() {} }

  /// Writes once. Returns whether there is more to write.
  private func write() -> Bool {
    guard let transport = transport.withLock({ $0 }),
      let (bytes, start) = pipeline.withLock({ $0.beginWrite() })
    else { return false }
    let outcome = bytes.withUnsafeBytes { transport.write($0.part(start...)) }
    switch outcome {
    case .bytes(let count):
      return pipeline.withLock { $0.endWrite(bytes, start + count, wouldBlock: false) }
    case .wouldBlock:
      return pipeline.withLock { $0.endWrite(bytes, start, wouldBlock: true) }
    case .ended: fail("the server has closed it")
    case .failed(let reason): fail(reason)
    }
    return false

    func fail(_ reason: String) {
      if transport.failsWhole { _ = pipeline.withLock { $0.endWrite(bytes, start, wouldBlock: true) } }
      close(.lost(reason))
    }
  }

  /// Schedules the failure of calls whose deadline has passed.
  private func expire(at time: ContinuousClock.Instant) {
    loop.schedule(at: time) { [weak self] in self?.expireCalls(dueAt: time) }
  }

  private func expireCalls(dueAt time: ContinuousClock.Instant) {
    let (late, next) = pipeline.withLock { pipeline -> ([Call], ContinuousClock.Instant?) in
      // A call with an earlier deadline was added meanwhile, and has set another timer.
      guard pipeline.nextCheck == time else { return ([], nil) }
      return (pipeline.expire(.now), pipeline.nextCheck)
    }
    if let next { expire(at: next) }
    for call in late { call.finish(.failure(RedisConnectionError.timedOut)) }
  }
}
