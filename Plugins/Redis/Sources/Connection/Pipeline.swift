import StrataCore

/// What a call waits for: one reply, or one for each of its commands.
enum Replies: Sendable {
  case one(RESPValue)
  /// Both replies of a command that reads two things, if neither is a refusal. Without an array, which would take as
  /// long as to read them.
  case two(RESPValue, RESPValue)
  case many([RESPValue])
}

/// The commands that go out on a connection, and the calls that wait for the replies: a line with two ends, and no
/// input or output of its own.
///
/// Commands are put together while others are being written, so that one write serves many. What is too much is held
/// back: it joins when replies have made room.
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

  enum Phase {
    case opening
    case open
    case closed(RedisConnectionError)
  }

  struct Held {
    let call: Call
    let commands: [RedisCommand]
  }

  /// A call whose commands are on their way.
  struct Sent {
    /// Nobody waits for an answer to what the connection itself asked.
    let call: Call?
    /// How many replies there will be.
    let count: Int
    /// What they are together; `nil` if the call gets each of them.
    let outcome: RedisCommand.Outcome?
    /// How many bytes go before its first.
    let start: Int
  }

  /// A call of which some replies have come.
  struct Partial {
    let sent: Sent
    var replies: [RESPValue] = []
  }

  private let limits: Limits
  var phase = Phase.opening
  var held = FIFO<Held>()
  var sent = FIFO<Sent>()
  /// Of how many calls that were sent nobody reads the text in the reply.
  var unread = 0
  /// The call whose replies come now.
  var current: Partial?

  var outgoing: [UInt8] = []
  /// What a write has left over, with the place where it ended. It goes before all else.
  var rest: (bytes: [UInt8], start: Int)?
  /// How many bytes went before those in `outgoing`.
  var outgoingStart = 0
  /// How many bytes there are up to the end of the buffer that was last handed out to be written.
  var writingEnd = 0
  /// How many bytes the system may have taken.
  var handed = 0
  /// Of the calls that `close` has returned, how many may have been sent, in part at least: the first ones.
  private(set) var sentCalls = 0
  /// A buffer that was written, to be used again.
  var spare: [UInt8] = []
  var isWriting = false
  var isFlushRequested = false
  /// The socket takes no more until it says so.
  var isBlocked = false
  /// How often the socket has said that it takes more.
  var roomEvents = 0
  var roomEventsAtWrite = 0

  /// When the calls are next looked through for those that have waited for too long.
  private(set) var nextCheck: ContinuousClock.Instant?

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether a reply is owed to us.
  var owesReplies: Bool { current != nil || !sent.isEmpty }

  /// Whether nobody waits for anything.
  var isIdle: Bool { !owesReplies && held.isEmpty }

  private var isFull: Bool {
    sent.count >= limits.calls || outgoing.count + (rest?.bytes.count ?? 0) >= limits.bytes
  }

  var isClosed: Bool {
    if case .closed = phase { return true }
    return false
  }

  /// All calls, in order.
  private var waiting: [Call] {
    ((current?.sent.call).map { [$0] } ?? []) + sent.all.compactMap(\.call) + held.all.map(\.call)
  }

  /// Puts a call in line. Fails if the connection is closed; nothing was sent then.
  mutating func add(_ call: Call, _ parcel: RedisParcel) throws(RedisConnectionError) -> Errand {
    if try !isOpenWithRoom() {
      held.append(Held(call: call, commands: parcel.commands))
      return .nothing
    }
    switch parcel {
    case .one(let command): return send(call, command)
    case .many(let commands): return send(call, commands)
    }
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
    if command.outcome == .noText { unread += 1 }
    sent.append(
      Sent(
        call: call, count: command.replyCount, outcome: command.outcome,
        start: outgoingStart + outgoing.count))
    outgoing.append(contentsOf: command.bytes)
    return errand(isIdle)
  }

  private mutating func send(_ call: Call?, _ commands: [RedisCommand]) -> Errand {
    let isIdle = !owesReplies
    let count = commands.reduce(0) { $0 + $1.replyCount }
    let outcome = commands.count == 1 ? commands[0].outcome : nil
    if outcome == RedisCommand.Outcome.noText { unread += 1 }
    sent.append(Sent(call: call, count: count, outcome: outcome, start: outgoingStart + outgoing.count))
    for command in commands { outgoing.append(contentsOf: command.bytes) }
    return errand(isIdle)
  }

  private mutating func errand(_ isIdle: Bool) -> Errand {
    if isWriting || isBlocked || isFlushRequested { return .nothing }
    if isIdle { return .write }
    isFlushRequested = true
    return .requestFlush
  }

  /// Sends a command of the connection's own, whatever is held back. The reply goes to a call that nobody waits for, if
  /// there is one.
  mutating func addOwn(_ command: RedisCommand, _ call: Call? = nil) -> Errand { send(call, [command]) }

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
  mutating func admit() -> Errand {
    var errand = Errand.nothing
    while !isFull, let next = held.popFirst() {
      if next.call.isFinished {
        next.call.settle()
        continue
      }
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
    sentCalls = (current?.sent.call == nil ? 0 : 1) + sent.all.count { $0.call != nil && $0.start < handed }
    held = FIFO()
    sent = FIFO()
    unread = 0
    current = nil
    outgoing = []
    rest = nil
    return calls
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
