import StrataCore
import StrataNetwork

/// The result of a call: one reply, or one for each of its commands.
enum Replies: Sendable {
  case one(RESPValue)
  /// Both replies of a command that reads two values, if neither is a refusal. They are not in an array, whose
  /// allocation would take as long as reading them.
  case two(RESPValue, RESPValue)
  case many([RESPValue])
}

/// The outgoing commands of a connection, and the calls that wait for replies. It does no input or output itself.
///
/// Commands are collected while others are being written, so that one write serves many. Calls beyond the limits are
/// held back until replies make room.
struct Pipeline: ~Copyable {
  /// The maximum number of calls and bytes in flight.
  struct Limits: Sendable {
    var calls = 16_384
    var bytes = 4 << 20
  }

  /// The action required after adding a call.
  enum NextStep: Equatable {
    case nothing
    /// Write at once: no thread writes, and no reply is awaited.
    case write
    /// Let the loop write: other calls are likely to be added first.
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

  /// A call whose commands have been sent.
  struct Sent {
    /// `nil` for the connection's own commands, whose replies are ignored.
    let call: Call?
    /// The number of replies.
    let count: Int
    /// The way in which the replies are combined; `nil` if the call receives each reply.
    let outcome: RedisCommand.Outcome?
    /// The number of bytes sent before the call's first command.
    let start: Int
  }

  /// A call that has received some of its replies.
  struct Partial {
    let sent: Sent
    var replies: [RESPValue] = []
  }

  /// The size from which copying a command takes longer than writing it separately.
  static let largeCommand = 32 << 10

  private let limits: Limits
  var phase = Phase.opening
  var held = FIFO<Held>()
  var sent = FIFO<Sent>()
  /// For each outstanding reply, whether its texts are needed.
  var runs = ReplyRuns()
  /// The call whose replies are arriving.
  var current: Partial?

  var outgoing: [UInt8] = []
  /// Buffers that are written before `outgoing`: large commands, which are not copied, and the commands added before
  /// them.
  var sealed = FIFO<[UInt8]>()
  var sealedBytes = 0
  /// Whether the buffer last taken for writing came from `sealed`.
  var isWritingSealed = false
  /// The unwritten rest of a buffer, with the position where writing stopped. It is written first.
  var rest: (bytes: [UInt8], start: Int)?
  /// The number of bytes before those in `sealed` and `outgoing`.
  var outgoingStart = 0
  /// The number of bytes up to the end of the buffer that was last taken for writing.
  var writingEnd = 0
  /// The number of bytes that the system may have accepted.
  var handed = 0
  /// The number of calls returned by `close` that may have been sent, at least in part: the first ones.
  private(set) var sentCalls = 0
  /// A written buffer, for reuse.
  var spare: [UInt8] = []
  var isWriting = false
  var isFlushRequested = false
  /// Whether the socket accepts no more for now.
  var isBlocked = false
  /// How often the socket became writable.
  var roomEvents = 0
  var roomEventsAtWrite = 0

  /// The time at which `expire` must be called next.
  private(set) var nextCheck: ContinuousClock.Instant?

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether replies are outstanding.
  var owesReplies: Bool { current != nil || !sent.isEmpty }

  /// Whether no call is waiting.
  var isIdle: Bool { !owesReplies && held.isEmpty }

  private var isFull: Bool {
    sent.count >= limits.calls || sealedBytes + outgoing.count + (rest?.bytes.count ?? 0) >= limits.bytes
  }

  var isClosed: Bool {
    if case .closed = phase { return true }
    return false
  }

  /// All waiting calls, in order.
  private var waiting: [Call] {
    ((current?.sent.call).map { [$0] } ?? []) + sent.all.compactMap(\.call) + held.all.map(\.call)
  }

  /// Queues a call. Throws if the connection is closed; nothing was sent then.
  mutating func add(_ call: Call, _ parcel: RedisParcel) throws(RedisConnectionError) -> NextStep {
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
    // Calls that are held back are sent first.
    case .open: return held.isEmpty && !isFull
    }
  }

  private mutating func send(_ call: Call, _ command: RedisCommand) -> NextStep {
    let isIdle = !owesReplies
    runs.append(command.replyCount, dropsTexts: command.dropsTexts)
    sent.append(Sent(call: call, count: command.replyCount, outcome: command.outcome, start: end))
    append(command)
    return nextStep(isIdle)
  }

  private mutating func send(_ call: Call?, _ commands: [RedisCommand]) -> NextStep {
    let isIdle = !owesReplies
    let count = commands.replyCount
    let outcome = commands.count == 1 ? commands[0].outcome : nil
    // The mark applies to all replies of a call, since a transaction has one reply.
    runs.append(count, dropsTexts: commands.contains(where: \.dropsTexts))
    sent.append(Sent(call: call, count: count, outcome: outcome, start: end))
    for command in commands { append(command) }
    return nextStep(isIdle)
  }

  /// The number of bytes of all commands so far.
  private var end: Int { outgoingStart + sealedBytes + outgoing.count }

  private mutating func append(_ command: RedisCommand) {
    if command.bytes.count < Self.largeCommand { return outgoing.append(contentsOf: command.bytes) }
    if !outgoing.isEmpty {
      seal(outgoing)
      outgoing = spare
      spare = []
    }
    seal(command.bytes)
  }

  private mutating func seal(_ bytes: [UInt8]) {
    sealed.append(bytes)
    sealedBytes += bytes.count
  }

  private mutating func nextStep(_ isIdle: Bool) -> NextStep {
    if isWriting || isBlocked || isFlushRequested { return .nothing }
    if isIdle { return .write }
    isFlushRequested = true
    return .requestFlush
  }

  /// Sends a command of the connection itself, before held calls. The reply finishes `call`, if there is one; no task
  /// waits for it.
  mutating func addOwn(_ command: RedisCommand, _ call: Call? = nil) -> NextStep { send(call, [command]) }

  /// Sends commands whose replies are not passed to `receive`.
  mutating func addGreeting(_ commands: [RedisCommand]) {
    for command in commands { outgoing.append(contentsOf: command.bytes) }
  }

  /// Opens the pipeline, and sends the calls that waited for it.
  mutating func open() -> NextStep {
    guard case .opening = phase else { return .nothing }
    phase = .open
    return admit()
  }

  /// Sends held calls, as far as there is room.
  mutating func admit() -> NextStep {
    var nextStep = NextStep.nothing
    while !isFull, let next = held.popFirst() {
      if next.call.isFinished {
        next.call.settle()
        continue
      }
      let own = send(next.call, next.commands)
      if own != .nothing { nextStep = own }
    }
    return nextStep
  }

  /// Closes the pipeline. Returns the waiting calls, in order.
  mutating func close(_ reason: RedisConnectionError) -> [Call] {
    if isClosed { return [] }
    phase = .closed(reason)
    let calls = waiting
    sentCalls = (current?.sent.call == nil ? 0 : 1) + sent.all.count { $0.call != nil && $0.start < handed }
    held = FIFO()
    sent = FIFO()
    runs = ReplyRuns()
    current = nil
    outgoing = []
    sealed = FIFO()
    sealedBytes = 0
    rest = nil
    return calls
  }
}

extension Pipeline {
  /// Returns when to call `expire`, if that is earlier than returned before.
  mutating func check(by deadline: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if let nextCheck, nextCheck <= deadline { return nil }
    nextCheck = deadline
    return deadline
  }

  /// Returns the calls whose deadline has passed. Sets `nextCheck` to the next deadline, or `nil` if no call waits.
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
