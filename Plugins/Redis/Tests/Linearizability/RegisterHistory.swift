/// The operations on one key with their times, by a clock that each event advances. Checks whether they can be ordered
/// one after the other.
///
/// The state of the key is a number; 0 is absence, the initial state.
struct RegisterHistory: Sendable {
  /// The known outcome of a write.
  enum Fate: Sendable {
    case acknowledged
    /// The write failed, was cancelled, or timed out: it may have been executed.
    case unknown
    /// The write failed with an error that proves that nothing was sent.
    case unsent
  }

  /// An operation and its result; `nil` is an unknown result.
  enum Action: Sendable, Hashable {
    case read(Int)
    case write(Int)
    case remove
    case writeIfAbsent(Int, isStored: Bool?)
    /// Adds to a number, of which an absent one counts as 0.
    case add(Int, sum: Int?)
    /// Adds to a number unless it is absent; then the result is 0.
    case change(Int, result: Int?)

    /// Returns the state after the operation; `nil` if it cannot have its result in this state.
    fileprivate func next(_ state: Int) -> Int? {
      switch self {
      case .read(let value): state == value ? state : nil
      case .write(let value): value
      case .remove: 0
      case .writeIfAbsent(let value, let isStored):
        isStored.map({ $0 == (state == 0) }) ?? true ? (state == 0 ? value : state) : nil
      case .add(let amount, let sum): sum.map({ $0 == state + amount }) ?? true ? state + amount : nil
      case .change(let amount, let result):
        switch state == 0 ? 0 : state + amount {
        case let next where result.map({ $0 == next }) ?? true: next
        default: nil
        }
      }
    }

    /// Whether `failed`, of unknown outcome, must precede it if it begins after the end of `failed`.
    ///
    /// A conditional call that stored nothing does not count as a later write for an update, which watches the key: the
    /// update's transaction may still be executed as long as the key does not change.
    fileprivate func follows(_ failed: Action) -> Bool {
      switch (self, failed) {
      case (.read, _), (.change(_, result: 0), _), (.writeIfAbsent(_, isStored: false), .change): false
      default: true
      }
    }
  }

  private struct Event {
    let action: Action
    let start: Int
    let end: Int
    let fate: Fate
  }

  private var events: [Event] = []

  mutating func write(_ value: Int, from start: Int, to end: Int, _ fate: Fate) {
    add(.write(value), from: start, to: end, fate)
  }

  mutating func read(_ value: Int, from start: Int, to end: Int) {
    add(.read(value), from: start, to: end, .acknowledged)
  }

  mutating func add(_ action: Action, from start: Int, to end: Int, _ fate: Fate) {
    if fate != .unsent { events.append(Event(action: action, start: start, end: end, fate: fate)) }
  }

  /// Returns why the operations cannot be ordered; `nil` if they can.
  ///
  /// Follows all orders at once: each possible state with the running operations that have taken effect in it. An
  /// operation that ends must have taken effect, possibly after others that are still running. An operation of unknown
  /// outcome may take effect until a write that began after its end has ended, or never.
  func flaw() -> String? {
    var moments = events.indices.map { (time: events[$0].start, isStart: true, event: $0) }
    moments += events.indices.map { (time: events[$0].end, isStart: false, event: $0) }
    moments.sort { $0.time < $1.time }
    var worlds: [World] = [World(state: 0, done: 0)]
    /// The events that may still take effect, each with its bit in `World.done`.
    var running: [Int: UInt64] = [:]
    for moment in moments {
      let event = events[moment.event]
      if moment.isStart {
        let used = running.values.reduce(0, |)
        guard used != .max else { return "more than 64 operations run at once" }
        running[moment.event] = 1 << UInt64((~used).trailingZeroBitCount)
        continue
      }
      guard event.fate == .acknowledged, let bit = running[moment.event] else { continue }
      let before = worlds
      worlds = after(bit, in: worlds, running)
      if worlds.isEmpty {
        let states = Set(before.map(\.state)).sorted().prefix(5)
        return "\(event.action) from \(event.start) to \(event.end) fits none of the states \(states)"
      }
      var over = [moment.event]
      over += running.keys.filter { key in
        let other = events[key]
        return other.fate == .unknown && other.end < event.start && event.action.follows(other.action)
      }
      let bits = over.reduce(0) { $0 | (running.removeValue(forKey: $1) ?? 0) }
      var rest = Worlds(optional: optional(running))
      for world in worlds { _ = rest.insert(World(state: world.state, done: world.done & ~bits)) }
      worlds = rest.all
    }
    return nil
  }

  /// The bits of the events of unknown outcome.
  private func optional(_ running: [Int: UInt64]) -> UInt64 {
    running.reduce(0) { events[$1.key].fate == .unknown ? $0 | $1.value : $0 }
  }

  /// A possible state, and the running operations that have taken effect.
  private struct World: Hashable {
    let state: Int
    let done: UInt64
  }

  /// The possible worlds, without superfluous ones. An operation of unknown outcome need not take effect. So of two
  /// worlds that differ only in such operations, the world in which fewer of them have taken effect is enough. Without
  /// this rule each of them would double the number of worlds.
  private struct Worlds {
    /// The bits of the operations of unknown outcome.
    let optional: UInt64
    private var found: [World: [UInt64]] = [:]

    init(optional: UInt64) { self.optional = optional }

    /// Returns whether the world is not superfluous.
    mutating func insert(_ world: World) -> Bool {
      let key = World(state: world.state, done: world.done & ~optional)
      let done = world.done & optional
      var others = found[key] ?? []
      if others.contains(where: { $0 & ~done == 0 }) { return false }
      others.removeAll { done & ~$0 == 0 }
      others.append(done)
      found[key] = others
      return true
    }

    var all: [World] {
      found.flatMap { world, parts in parts.map { World(state: world.state, done: world.done | $0) } }
    }
  }

  /// Returns the worlds in which an operation has taken effect.
  private func after(_ bit: UInt64, in worlds: [World], _ running: [Int: UInt64]) -> [World] {
    let optional = optional(running)
    // Of equal operations of unknown outcome, only the one that ended first is tried, since its time to take effect
    // ends first.
    let sorted = running.sorted { events[$0.key].end < events[$1.key].end }
    var found = Worlds(optional: optional)
    var seen = Worlds(optional: optional)
    // The worlds with the fewest operations first: they make the others superfluous.
    var rest = worlds.filter { seen.insert($0) }
    var place = 0
    while place < rest.count {
      let world = rest[place]
      place += 1
      if world.done & bit != 0 {
        _ = found.insert(world)
        continue
      }
      var tried: Set<Action> = []
      for (event, own) in sorted where world.done & own == 0 {
        let action = events[event].action
        if optional & own != 0, !tried.insert(action).inserted { continue }
        guard let state = action.next(world.state) else { continue }
        let next = World(state: state, done: world.done | own)
        if seen.insert(next) { rest.append(next) }
      }
    }
    return found.all
  }
}
