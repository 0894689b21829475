import StrataCore

/// What a call waits for: one reply, or one for each of its commands.
enum Replies: Sendable {
  case one(RESPValue)
  case many([RESPValue])
}

/// A call on its way through a connection. A task that has given up stays in line, since its reply comes all the same.
typealias Call = Pending<Replies>

/// The commands that go out on a connection, and the calls that wait for the replies: a line with two ends, and no input or output of
/// its own.
///
/// Commands are put together while others are being written, so that one write serves many. What is too much is held back: it joins when
/// replies have made room.
struct Pipeline: ~Copyable {
  /// How much may be under way at a time.
  struct Limits: Sendable {
    var calls = 16_384
    var bytes = 4 << 20
  }

  /// What whoever added a call has to do now.
  enum Errand: Equatable {
    case nothing
    /// Nobody writes, and no reply is under way: write at once.
    case write
    /// Let the loop write: others are about to add more.
    case requestFlush
  }

  private enum Phase {
    case opening
    case open
    case closed(RedisConnectionError)
  }

  private struct Held {
    let call: Call
    let commands: [RedisCommand]
  }

  /// A call whose commands are on their way.
  private struct Sent {
    /// Nobody waits for an answer to what the connection itself asked.
    let call: Call?
    let count: Int
    var replies: [RESPValue] = []
  }

  private let limits: Limits
  private var phase = Phase.opening
  private var held = FIFO<Held>()
  private var sent = FIFO<Sent>()
  /// The call whose replies come now.
  private var current: Sent?

  private var outgoing: [UInt8] = []
  /// What a write has left over, with the place where it ended. It goes before all else.
  private var rest: (bytes: [UInt8], start: Int)?
  /// A buffer that was written, to be used again.
  private var spare: [UInt8] = []
  private var isWriting = false
  private var isFlushRequested = false
  /// The socket takes no more until it says so.
  private var isBlocked = false
  /// How often the socket has said that it takes more.
  private var roomEvents = 0
  private var roomEventsAtWrite = 0

  /// When the calls are next looked through for those that have waited for too long.
  private(set) var nextCheck: ContinuousClock.Instant?

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether a reply is owed to us.
  var owesReplies: Bool { current != nil || !sent.isEmpty }

  private var isFull: Bool {
    sent.count >= limits.calls || outgoing.count + (rest?.bytes.count ?? 0) >= limits.bytes
  }

  var isClosed: Bool {
    if case .closed = phase { return true }
    return false
  }

  /// All calls, in order.
  private var waiting: [Call] {
    ((current?.call).map { [$0] } ?? []) + sent.all.compactMap(\.call) + held.all.map(\.call)
  }

  /// Puts a call in line. Fails if the connection is closed; nothing was sent then.
  mutating func add(_ call: Call, _ command: RedisCommand) throws(RedisConnectionError) -> Errand {
    if try !isOpenWithRoom() {
      held.append(Held(call: call, commands: [command]))
      return .nothing
    }
    return send(call, command)
  }

  /// Puts a call of several commands in line.
  mutating func add(_ call: Call, _ commands: [RedisCommand]) throws(RedisConnectionError) -> Errand {
    if try !isOpenWithRoom() {
      held.append(Held(call: call, commands: commands))
      return .nothing
    }
    return send(call, commands)
  }

  private func isOpenWithRoom() throws(RedisConnectionError) -> Bool {
    switch phase {
    case .closed(let reason): throw reason
    case .opening: return false
    // Who came before goes before.
    case .open: return held.isEmpty && !isFull
    }
  }

  private mutating func send(_ call: Call, _ command: RedisCommand) -> Errand {
    let isIdle = !owesReplies
    outgoing.append(contentsOf: command.bytes)
    sent.append(Sent(call: call, count: 1))
    return errand(isIdle)
  }

  private mutating func send(_ call: Call?, _ commands: [RedisCommand]) -> Errand {
    let isIdle = !owesReplies
    for command in commands { outgoing.append(contentsOf: command.bytes) }
    sent.append(Sent(call: call, count: commands.count))
    return errand(isIdle)
  }

  private mutating func errand(_ isIdle: Bool) -> Errand {
    if isWriting || isBlocked || isFlushRequested { return .nothing }
    if isIdle { return .write }
    isFlushRequested = true
    return .requestFlush
  }

  /// Sends a command of the connection's own, whatever is held back, and drops the reply.
  mutating func addOwn(_ command: RedisCommand) -> Errand { send(nil, [command]) }

  /// Sends commands whose replies `receive` will not see.
  mutating func addGreeting(_ commands: [RedisCommand]) {
    for command in commands { outgoing.append(contentsOf: command.bytes) }
  }

  /// Lets in who waited for the connection.
  mutating func open() -> Errand {
    guard case .opening = phase else { return .nothing }
    phase = .open
    return admit()
  }

  /// Sends what is held back, as much as there is room for.
  private mutating func admit() -> Errand {
    var errand = Errand.nothing
    while !isFull, let next = held.popFirst() {
      if next.call.isFinished { continue }
      let own = send(next.call, next.commands)
      if own != .nothing { errand = own }
    }
    return errand
  }

  /// Ends it. Returns who waits, in order.
  mutating func close(_ reason: RedisConnectionError) -> [Call] {
    if isClosed { return [] }
    phase = .closed(reason)
    let calls = waiting
    held = FIFO()
    sent = FIFO()
    current = nil
    outgoing = []
    rest = nil
    return calls
  }
}

extension Pipeline {
  /// A call with all of its replies.
  struct Answered: Sendable {
    let call: Call
    let replies: Replies
  }

  /// What follows from replies.
  struct Receipt: Sendable {
    var answered: [Answered] = []
    /// There was a reply that nobody asked for.
    var hasUnasked = false
    var errand = Errand.nothing
  }

  /// Hands on replies in the order in which they came, to calls in the order in which they were sent.
  mutating func receive(_ replies: ArraySlice<RESPValue>) -> Receipt {
    var receipt = Receipt()
    receipt.answered.reserveCapacity(replies.count)
    for reply in replies {
      guard var call = current ?? sent.popFirst() else {
        receipt.hasUnasked = true
        return receipt
      }
      if call.count == 1 {
        if let waiting = call.call { receipt.answered.append(Answered(call: waiting, replies: .one(reply))) }
        continue
      }
      current = nil
      call.replies.append(reply)
      if call.replies.count < call.count {
        current = call
      } else if let waiting = call.call {
        receipt.answered.append(Answered(call: waiting, replies: .many(call.replies)))
      }
    }
    if case .open = phase, !held.isEmpty { receipt.errand = admit() }
    return receipt
  }

  /// Takes the bytes that are to be written next, and where to begin; `nil` if there are none or somebody else is at it.
  mutating func beginWrite() -> (bytes: [UInt8], start: Int)? {
    isFlushRequested = false
    if isWriting || isBlocked || isClosed { return nil }
    if rest == nil, outgoing.isEmpty { return nil }
    isWriting = true
    roomEventsAtWrite = roomEvents
    if let rest {
      self.rest = nil
      return rest
    }
    let bytes = outgoing
    outgoing = spare
    spare = []
    return (bytes, 0)
  }

  /// Ends a write that came as far as `end`. Tells whether there is more to be written, and may be.
  mutating func endWrite(_ bytes: consuming [UInt8], _ end: Int, wouldBlock: Bool) -> Bool {
    isWriting = false
    if isClosed { return false }
    if end < bytes.count {
      rest = (bytes, end)
    } else if bytes.capacity <= 1 << 20 {
      bytes.removeAll(keepingCapacity: true)
      spare = bytes
    }
    // The socket may have said that it takes more while this was on its way here.
    isBlocked = wouldBlock && roomEvents == roomEventsAtWrite
    return !isBlocked && (rest != nil || !outgoing.isEmpty)
  }

  /// The socket takes more.
  mutating func socketHasRoom() {
    isBlocked = false
    roomEvents += 1
  }
}

extension Pipeline {
  /// Tells when to call `expire`, if that is earlier than was said so far.
  mutating func check(by deadline: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if let nextCheck, nextCheck <= deadline { return nil }
    nextCheck = deadline
    return deadline
  }

  /// Finds who has waited for too long. When to look again is in `nextCheck`; `nil` as long as nobody waits.
  mutating func expire(_ now: ContinuousClock.Instant) -> [Call] {
    var late: [Call] = []
    nextCheck = nil
    for call in waiting where !call.isFinished {
      if call.deadline <= now {
        late.append(call)
      } else {
        nextCheck = min(nextCheck ?? call.deadline, call.deadline)
      }
    }
    return late
  }
}
