/// Finds threads and tasks that wait for each other.
///
/// A thread or task that has turns and waits for a further one waits for the turn's owner, which may wait in the same way. Every member
/// of such a circle waits for good, and the last one to wait can see all of it.
enum WaitCircle {
  /// A thread or a task that is about to wait; a task with those that wait for it as their child.
  enum Waiter {
    case thread(ThreadTurns)
    case tasks([TaskIdentity])

    func has(_ turn: AnyTurn) -> Bool {
      switch self {
      case .thread(let thread): thread.held.contains { $0 === turn }
      case .tasks(let tasks): tasks.contains(turn.task.value)
      }
    }
  }

  private static let breaking = Locked(())

  /// Whether a thread or task that is about to wait must not, since the turn waits, through others, for a turn of its own; then `giveUp` has
  /// given up its place and `forget` the note that it waits. `giveUp` returns false if the turn has come meanwhile.
  ///
  /// Two of a circle may see it at the same time. One after the other they look again, so the first breaks it, and the other waits.
  static func isBroken(
    from turn: AnyTurn, for waiter: Waiter, giveUp: () -> Bool, forget: () -> Void
  ) -> Bool {
    guard exists(from: turn, for: waiter) else { return false }
    return breaking.withLock { _ in
      guard exists(from: turn, for: waiter), giveUp() else { return false }
      forget()
      return true
    }
  }

  /// Whether the turn that a thread or task is about to wait for waits, through others, for a turn of its own.
  ///
  /// Orders are looked at one after the other, so a circle could be made up of waits that never were at the same
  /// time. A wait that has ended does not come back: what is found twice in a row was there between the two looks.
  private static func exists(from turn: AnyTurn, for waiter: Waiter) -> Bool {
    guard let once = path(from: turn, to: waiter) else { return false }
    return path(from: turn, to: waiter) == once
  }

  private static func path(from start: AnyTurn, to waiter: Waiter) -> [ObjectIdentifier]? {
    var seen: Set<ObjectIdentifier> = []
    func search(_ turn: AnyTurn) -> [ObjectIdentifier]? {
      guard seen.insert(ObjectIdentifier(turn)).inserted else { return nil }
      for next in turn.ahead() {
        // `next` may itself stand in line for another key, or be the turn of a thread or task that waits.
        let thread = next.runner.withLock { $0 }?.waiting.withLock { $0 }
        let tasks = WaitingTasks.turns(of: next.task.value)
        for turn in [next, thread].compactMap({ $0 }) + tasks {
          if waiter.has(turn) { return [ObjectIdentifier(turn)] }
          if let rest = search(turn) { return [ObjectIdentifier(turn)] + rest }
        }
      }
      return nil
    }
    return search(start)
  }
}
