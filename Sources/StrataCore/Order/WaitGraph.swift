/// The wait-for graph of threads, tasks and turns, in which cycles are detected.
///
/// Only runners that may have turns are recorded. Every runner checks for a cycle under one lock before it begins to
/// wait, so the last one to wait sees the whole cycle. The orders are read one after the other. The result is still
/// consistent, since a waiting runner releases no turn meanwhile.
package enum WaitGraph {
  private struct State {
    var turns: [Runner: [AnyTurn]] = [:]
    /// The parent task of each child that it waits for, and the children of each task.
    var parents: [Runner: Runner] = [:]
    var children: [Runner: Set<Runner>] = [:]

    /// Returns the turns that a runner waits for, including turns of the children that it waits for.
    func turns(of runner: Runner) -> [AnyTurn] {
      let own = turns[runner] ?? []
      guard let children = children[runner] else { return own }
      return children.reduce(into: own) { $0 += turns(of: $1) }
    }

    /// Returns whether a turn waits for one of the runners, or for itself.
    func isCircle(_ start: AnyTurn, of runners: Set<Runner>) -> Bool {
      var seen: Set<ObjectIdentifier> = []
      var open = [start]
      while let turn = open.popLast() {
        for obstacle in turn.obstacles() {
          let next: [AnyTurn]
          switch obstacle {
          case .runner(let runner):
            if runners.contains(runner) { return true }
            next = turns(of: runner)
          case .turn(let turn): next = [turn]
          }
          for turn in next where seen.insert(ObjectIdentifier(turn)).inserted {
            if turn === start { return true }
            open.append(turn)
          }
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

  /// Records that runners wait for a turn. If the turn waits for one of them, cancels it instead and returns `false`.
  /// Without runners, records nothing.
  static func enter(_ turn: AnyTurn, by runners: [Runner]) -> Bool {
    if runners.isEmpty { return true }
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
    afterwards?()
    return afterwards == nil
  }

  static func leave(_ turn: AnyTurn, by runners: [Runner]) {
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
