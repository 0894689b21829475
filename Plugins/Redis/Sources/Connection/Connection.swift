import StrataCore

/// A connection to a server, from the first packet to the last, on which many calls are under way at a time.
///
/// Calls come on any thread and write by themselves where nobody else does; all else happens on the loop's.
final class Connection: LoopClient {
  /// What the owner of a connection learns of it, on the loop's thread.
  struct Observer: Sendable {
    /// Before any call is sent.
    var onReady: @Sendable (Connection) -> Void = { _ in }
    /// Before any call fails by it. Tells since when it was ready, if it was.
    var onEnd: @Sendable (Connection, RedisConnectionError, ContinuousClock.Instant?) -> Void = { _, _, _ in }
    /// A message that the server sent unasked, in order with the replies.
    var onPush: @Sendable (RESPValue) -> Void = { _ in }
  }

  enum Phase: Sendable {
    case connecting
    case greeting(Handshake)
    case ready(since: ContinuousClock.Instant)
    case closed
  }

  /// What only the loop's thread touches; the lock is always free.
  struct Wire: ~Copyable {
    var phase = Phase.connecting
    /// Addresses to try if this one does not answer.
    var candidates: [SocketAddress] = []
    var lastFailure = "the name has no address"
    var token: PollToken?
    var decoder: RESPDecoder
    /// What the server knows the connection by.
    var identity: ServerIdentity?
    /// Ends when nothing is under way any more.
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
  /// The writes to this server that were given up.
  let fence: Fence
  let mark = Fence.Mark()
  let wire: Locked<Wire>
  let pipeline: Locked<Pipeline>
  let transport = Locked<(any Transport)?>(nil)

  /// A connection, which begins at once. It lives until it ends or is closed.
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

  /// Puts a call in line. Fails if the connection has ended; nothing was sent then.
  func add(_ call: Call, _ parcel: RedisParcel) throws(RedisConnectionError) {
    let (errand, check) = try pipeline.withLock { (pipeline) throws(RedisConnectionError) in
      (try pipeline.add(call, parcel), pipeline.check(by: call.deadline))
    }
    if let check { expire(at: check) }
    perform(errand)
  }

  /// Sends what the connection itself asks for, before the calls that come later; nobody waits for the reply, of which
  /// `call` learns.
  func addOwn(_ command: RedisCommand, _ call: Call) {
    perform(pipeline.withLock { $0.isClosed ? .nothing : $0.addOwn(command, call) })
  }

  /// Whether it has been let in.
  var isReady: Bool {
    wire.withLock { wire in
      if case .ready = wire.phase { return true }
      return false
    }
  }

  /// Whether it has ended.
  var isClosed: Bool { pipeline.withLock { $0.isClosed } }

  /// Ends the connection. Calls that wait fail.
  func close(_ reason: RedisConnectionError) {
    loop.execute { [self] in end(reason) }
  }

  /// Ends the connection when the last call that is under way has its reply.
  func retire() {
    loop.execute { [self] in
      wire.withLock { $0.isRetired = true }
      endIfRetired()
    }
  }

  /// Does what the pipeline asks for.
  func perform(_ errand: Pipeline.Errand) {
    switch errand {
    case .nothing: break
    case .write: if !loop.requestFlushIfAwake(self), write() { loop.requestFlush(self) }
    case .requestFlush: loop.requestFlush(self)
    }
  }

  func flush() { while write() {} }

  /// Writes once. Tells whether there is more.
  private func write() -> Bool {
    guard let transport = transport.withLock({ $0 }),
      let (bytes, start) = pipeline.withLock({ $0.beginWrite() })
    else { return false }
    let outcome = bytes.withUnsafeBytes { transport.write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    switch outcome {
    case .bytes(let count):
      return pipeline.withLock { $0.endWrite(bytes, start + count, wouldBlock: false) }
    case .wouldBlock:
      return pipeline.withLock { $0.endWrite(bytes, start, wouldBlock: true) }
    case .ended: fail("the server has ended it")
    case .failed(let reason): fail(reason)
    }
    return false

    func fail(_ reason: String) {
      if transport.failsWhole { _ = pipeline.withLock { $0.endWrite(bytes, start, wouldBlock: true) } }
      close(.lost(reason))
    }
  }

  /// Lets calls fail that have waited for too long, when the time has come.
  private func expire(at time: ContinuousClock.Instant) {
    loop.schedule(at: time) { [weak self] in self?.expireCalls(dueAt: time) }
  }

  private func expireCalls(dueAt time: ContinuousClock.Instant) {
    let (late, next) = pipeline.withLock { pipeline -> ([Call], ContinuousClock.Instant?) in
      // A call with an earlier deadline came in between, and has set another timer.
      guard pipeline.nextCheck == time else { return ([], nil) }
      return (pipeline.expire(.now), pipeline.nextCheck)
    }
    if let next { expire(at: next) }
    for call in late { call.finish(.failure(RedisConnectionError.timedOut)) }
  }
}
