/// The threads and tasks that wait for turns, and what they wait for: how circles of them are found.
///
/// Only those are noted that may have turns themselves. Every member of a circle waits for good, and the last one to
/// wait sees all of it: each looks, under one lock, before it begins to wait. The orders are looked at one after the
/// other. Still all that is found exists at the same time, since whoever waits gives up nothing meanwhile.
enum WaitGraph {
  private struct State {
    var turns: [Runner: [AnyTurn]] = [:]
    /// The tasks that wait for a child of theirs, by child, and the children, by task.
    var parents: [Runner: Runner] = [:]
    var children: [Runner: Set<Runner>] = [:]

    /// The turns that a runner waits for: its own, and those of children that it waits for.
    func turns(of runner: Runner) -> [AnyTurn] {
      let own = turns[runner] ?? []
      guard let children = children[runner] else { return own }
      return children.reduce(into: own) { $0 += turns(of: $1) }
    }

    /// Whether a turn waits for one of the runners, or for itself.
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
  /// How many turns each runner has, of those for which others may wait: all but those that were taken by the quick
  /// way.
  private static let holders = Locked<[Runner: Int]>([:])

  /// Notes that a turn is another's now.
  static func pass(from old: Runner, to new: Runner) {
    holders.withLock { holders in
      if new != .nobody { holders[new, default: 0] += 1 }
      if old != .nobody, let count = holders[old] { holders[old] = count == 1 ? nil : count - 1 }
    }
  }

  /// Notes that runners wait for a turn. Where the turn waits for one of them it is given up instead, and the answer is
  /// `false`.
  static func enter(_ turn: AnyTurn, by runners: [Runner]) -> Bool {
    let afterwards: (@Sendable () -> Void)? = state.withLock { state in
      // A task counts with those that wait for it as their child.
      let parents = state.parents
      let lineages = Set(runners.flatMap { sequence(first: $0) { parents[$0] } })
      // For most who wait nobody waits: they have no other turn.
      let isAwaited = holders.withLock { holders in lineages.contains { holders[$0] != nil } }
      if isAwaited, state.isCircle(turn, of: lineages), let afterwards = turn.giveUp() { return afterwards }
      for runner in runners { state.turns[runner, default: []].append(turn) }
      return nil
    }
    afterwards?()
    return afterwards == nil
  }

  static func leave(_ turn: AnyTurn, by runners: [Runner]) {
    state.withLock { state in
      for runner in runners {
        state.turns[runner]?.removeAll { $0 === turn }
        if state.turns[runner]?.isEmpty == true { state.turns[runner] = nil }
      }
    }
  }

  /// Runs `body` with a note that `parent` waits for the current task, a child of it.
  static func inChild<R>(of parent: Runner, _ body: () async throws -> R) async rethrows -> R {
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
