/// Jobs of waiting tasks that run on the thread which ended the preceding turn, so that a short job need not wait for
/// another thread.
@usableFromInline
package enum Relay {
  /// The maximum number of jobs that a thread runs for others in a row. Further jobs need a thread of a pool.
  private static let limit = 16

  /// Whether this thread runs jobs for others.
  @usableFromInline
  static var isRunning: Bool { ThreadTurns.current.record.pointee.relay != nil }

  /// Runs a job now, or after the job that this thread currently runs for others. Returns `false` if the thread has
  /// reached the limit or is inside a turn.
  package static func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let thread = ThreadTurns.current
    // A thread inside a turn must not be delayed for others.
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
    // The loop above runs the job, so that a long queue of waiting tasks does not become a deep stack.
    jobs.append(job)
    thread.record.pointee.relay = jobs
    return true
  }
}
