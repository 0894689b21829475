/// Finds threads that wait for each other.
///
/// A thread that has turns and blocks for a further one waits for whoever has it; that one's thread may be blocked in the same
/// way. Every member of a circle of such threads is blocked for good, and the last to block can see all of it.
enum WaitCircle {
  /// Whether the turn that a thread is about to block for waits, through others, for a turn of that thread.
  ///
  /// Orders are looked at one after the other, so a circle could be made up of waits that never were at the same
  /// time. A wait that has ended does not come back: what is found twice in a row was there between the two looks.
  static func exists(from turn: AnyTurn, on thread: ThreadTurns) -> Bool {
    guard let once = path(from: turn, to: thread) else { return false }
    return path(from: turn, to: thread) == once
  }

  private static func path(from start: AnyTurn, to thread: ThreadTurns) -> [ObjectIdentifier]? {
    var seen: Set<ObjectIdentifier> = []
    func search(_ turn: AnyTurn) -> [ObjectIdentifier]? {
      guard seen.insert(ObjectIdentifier(turn)).inserted else { return nil }
      for next in turn.ahead() {
        if thread.held.contains(where: { $0 === next }) { return [ObjectIdentifier(next)] }
        // `next` may itself stand in line for another key, or run on a thread that waits.
        let waiting = next.runner.withLock { $0 }?.waiting.withLock { $0 }
        for turn in [next, waiting].compactMap({ $0 }) {
          if let rest = search(turn) { return [ObjectIdentifier(turn)] + rest }
        }
      }
      return nil
    }
    return search(start)
  }
}
