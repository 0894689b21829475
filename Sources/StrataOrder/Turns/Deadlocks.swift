public import Synchronization

// MARK: Runners that wait for each other

/// The wait-for graph of threads, tasks and turns, in which cycles are detected.
///
/// Only runners that may have turns are recorded. Every runner checks for a cycle under one lock before it begins to
/// wait, so the last one to wait sees the whole cycle. The orders are read one after the other. The result is still
/// consistent, since a waiting runner releases no turn meanwhile.
package enum WaitGraph {
  /// A turn of any order.
  protocol Waiting: AnyObject, Sendable {
    /// Returns the turns that this turn waits for and, of those that have come, the runners. If this turn has come,
    /// returns its runner.
    func obstacles() -> (runners: [Runner], turns: [any Waiting])
    /// Cancels waiting. Returns a closure to call outside of all locks, or `nil` if the turn has come.
    func giveUp() -> (@Sendable () -> Void)?
  }

  private struct State {
    var turns: [Runner: [any Waiting]] = [:]
    /// The parent task of each child that it waits for, and the children of each task.
    var parents: [Runner: Runner] = [:]
    var children: [Runner: Set<Runner>] = [:]

    /// Returns the turns that a runner waits for, including turns of the children that it waits for.
    func turns(of runner: Runner) -> [any Waiting] {
      let own = turns[runner] ?? []
      guard let children = children[runner] else { return own }
      return children.reduce(into: own) { $0 += turns(of: $1) }
    }

    /// Returns whether a turn waits for one of the runners, or for itself.
    func isCircle(_ start: any Waiting, of runners: Set<Runner>) -> Bool {
      var seen: Set<ObjectIdentifier> = []
      var open = [start]
      while let turn = open.popLast() {
        let (running, waiting) = turn.obstacles()
        if !runners.isDisjoint(with: running) { return true }
        for next in waiting + running.flatMap(turns) where seen.insert(ObjectIdentifier(next)).inserted {
          if next === start { return true }
          open.append(next)
        }
      }
      return false
    }
  }

  private static let state = Locked(State())
  /// The number of turns that each runner has and that others may wait for. Turns of the fast path do not count.
  private static let holders = Locked<[Runner: Int]>([:])

  /// Records that a turn has passed to another runner.
  static func pass(from old: Runner, to new: Runner) {
    holders.withLock { holders in
      if new != .nobody { holders[new, default: 0] += 1 }
      if old != .nobody, let count = holders[old] { holders[old] = count == 1 ? nil : count - 1 }
    }
  }

  /// Records that runners wait for a turn. If the turn waits for one of them, cancels it instead and throws
  /// `.deadlock`. Without runners, records nothing.
  static func enter<Key>(_ turn: Turn<Key>, by runners: [Runner]) throws {
    if runners.isEmpty { return }
    let afterwards: (@Sendable () -> Void)? = state.withLock { state in
      // The ancestors that wait for a task as their child count too.
      let parents = state.parents
      let lineages = Set(runners.flatMap { sequence(first: $0) { parents[$0] } })
      // Most waiting runners have no other turn, so nothing waits for them.
      let isAwaited = holders.withLock { holders in lineages.contains { holders[$0] != nil } }
      if isAwaited, state.isCircle(turn, of: lineages), let afterwards = turn.giveUp() { return afterwards }
      for runner in runners { state.turns[runner, default: []].append(turn) }
      return nil
    }
    if let afterwards {
      afterwards()
      throw turn.scope.circle
    }
  }

  static func leave(_ turn: some Waiting, by runners: [Runner]) {
    if runners.isEmpty { return }
    state.withLock { state in
      for runner in runners {
        state.turns[runner]?.removeAll { $0 === turn }
        if state.turns[runner]?.isEmpty == true { state.turns[runner] = nil }
      }
    }
  }

  /// Runs `body` while `parent` is recorded as waiting for the current task, its child.
  package static func inChild<R>(of parent: Runner, _ body: () async throws -> R) async rethrows -> R {
    let child = Runner.currentTask
    state.withLock { state in
      state.parents[child] = parent
      state.children[parent, default: []].insert(child)
    }
    defer {
      state.withLock { state in
        state.parents[child] = nil
        state.children[parent]?.remove(child)
        if state.children[parent]?.isEmpty == true { state.children[parent] = nil }
      }
    }
    return try await body()
  }
}

extension Turn: WaitGraph.Waiting {
  func obstacles() -> (runners: [Runner], turns: [any WaitGraph.Waiting]) {
    order.table.withLock { table in
      if isAbandoned { return ([], []) }
      if missing == 0 { return ([runner], []) }
      // A turn with several queues may delay turns in one of them while it waits in another.
      let holdsUp: (Turn) -> Bool = { if case .key = $0.scope { false } else { true } }
      let ahead =
        switch scope {
        case .key(let key): table.ahead(of: self, key: key, holdsUp: holdsUp)
        case .keys(let keys): keys.flatMap { table.ahead(of: self, key: $0, holdsUp: holdsUp) }
        case .everything: table.ahead(ofFence: self, holdsUp: holdsUp)
        }
      return (ahead.filter { $0.missing == 0 }.map { $0.runner }, ahead.filter { $0.missing > 0 })
    }
  }

  func giveUp() -> (@Sendable () -> Void)? { order.giveUp(self) }
}

extension TurnScope {
  var circle: StorageError {
    StorageError.deadlock.with(
      "this operation and the one that it is called from would wait for each other: call the store before or after an operation on the same keys, not from inside it, and not from a task that is started inside it, unless that is a `Task.detached`",
      key: key)
  }

  var reentry: StorageError {
    StorageError.deadlock.with(
      "a write from inside `update` of the same key: change the value that the closure is given instead",
      key: key)
  }

  private var key: (any Sendable)? {
    if case .key(let key) = self, !(key is WholeStore) { key } else { nil }
  }
}

// MARK: Tasks that an operation has started

/// An operation that runs in its turn. Tasks that a store starts meanwhile are recognized as parts of the operation.
///
/// A store that is called in a turn may start child tasks and wait for them. If a child task waited for the same turn,
/// it would wait for the operation, which waits for the child task. A task-local value, which started tasks inherit,
/// makes this deadlock detectable.
///
/// Child tasks, tasks in groups and those started with `Task {}` all inherit the value, and it is unknown which of them
/// the operation waits for. So all of them count as part of it until it has ended; only `Task.detached` does not.
@usableFromInline
package final class OngoingOperation: Sendable {
  /// The innermost operation that the current task is part of. It may have ended.
  @usableFromInline static let innermost = TaskLocal<OngoingOperation?>(wrappedValue: nil)

  private let task: Runner
  private let outer: OngoingOperation?
  @usableFromInline let hasEnded = Atomic(false)

  private init(in task: Runner, outer: OngoingOperation?) {
    self.task = task
    self.outer = outer
  }

  /// This operation or, if it has ended, the innermost around it that has not.
  private var unlessEnded: OngoingOperation? {
    var next: OngoingOperation? = self
    while let operation = next, operation.hasEnded.load(ordering: .acquiring) { next = operation.outer }
    return next
  }

  /// The current task and those whose ongoing operations it is part of. Empty where no task runs.
  static var runners: [Runner] {
    let task = Runner.currentTask
    if task == .nobody { return [] }
    var runners = [task]
    var next = innermost.get()?.unlessEnded
    while let operation = next {
      if operation.task != task { runners.append(operation.task) }
      next = operation.outer?.unlessEnded
    }
    return runners
  }

  /// Whether the current task is part of an operation that has not ended.
  @usableFromInline
  package static var isOngoing: Bool { innermost.get()?.unlessEnded != nil }

  /// Runs an operation in its turn: the tasks that `body` starts are part of it.
  @inlinable
  package static func run<R>(
    in task: Runner = .currentTask, _ body: () async throws -> R
  ) async rethrows -> R {
    guard let operation = begin(in: task) else { return try await body() }
    defer { operation.hasEnded.store(true, ordering: .releasing) }
    return try await innermost.binding(operation, body)
  }

  /// Begins an operation of a task. Returns `nil` inside another operation of the same task, since the outer one ends
  /// later.
  @usableFromInline
  static func begin(in task: Runner) -> OngoingOperation? {
    // Operations that have ended are released: otherwise a chain of tasks, each outliving the task that started it,
    // would keep all of them alive.
    let outer = innermost.get()?.unlessEnded
    return outer?.task == task ? nil : OngoingOperation(in: task, outer: outer)
  }

  /// Runs code that no operation waits for: the tasks that it starts are not part of any operation.
  @usableFromInline
  @discardableResult
  package static func apart<R>(_ body: () -> R) -> R {
    innermost.get() == nil ? body() : innermost.withValue(nil, operation: body)
  }
}
