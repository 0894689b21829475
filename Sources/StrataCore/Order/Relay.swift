/// Jobs that a thread runs for those whose turn has come as it left its own: so that what needs a microsecond waits for
/// no other thread.
package enum Relay {
  /// How many jobs a thread runs for others in a row; then a thread of a pool has to go on.
  private static let limit = 16

  /// Whether this thread runs jobs for others.
  static var isRunning: Bool { ThreadTurns.current.record.pointee.relay != nil }

  /// Runs a job, now or when the one that this thread runs for others has ended; returns `false` if it has run enough
  /// of them or is inside a turn.
  package static func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let thread = ThreadTurns.current
    // What stands in turns of its own is not to be held up for others.
    if thread.isInTurn { return false }
    guard var jobs = thread.record.pointee.relay else {
      thread.record.pointee.relay = []
      defer { thread.record.pointee.relay = nil }
      job()
      var next = 0
      while let jobs = thread.record.pointee.relay, next < jobs.count {
        jobs[next]()
        next += 1
      }
      return true
    }
    if jobs.count >= limit { return false }
    // Run by the loop above, not here: a long line of waiting tasks must not become a deep stack.
    jobs.append(job)
    thread.record.pointee.relay = jobs
    return true
  }
}
