/// Scheduled jobs, the earliest first.
struct Timers: Sendable {
  typealias Job = @Sendable () -> Void

  private struct Entry: Sendable {
    let time: ContinuousClock.Instant
    let job: Job
  }

  /// A heap: no entry is earlier than its parent.
  private var entries: [Entry] = []

  /// The time of the next job.
  var next: ContinuousClock.Instant? { entries.first?.time }

  mutating func add(_ time: ContinuousClock.Instant, _ job: @escaping Job) {
    entries.append(Entry(time: time, job: job))
    var place = entries.count - 1
    while place > 0, entries[place].time < entries[(place - 1) / 2].time {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes and returns the next job that is due.
  mutating func popDue(_ now: ContinuousClock.Instant) -> Job? {
    guard let first = entries.first, first.time <= now else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var place = 0
    while true {
      let children = (2 * place + 1..<2 * place + 3).clamped(to: entries.indices)
      guard let earliest = children.min(by: { entries[$0].time < entries[$1].time }),
        entries[earliest].time < entries[place].time
      else { return first.job }
      entries.swapAt(place, earliest)
      place = earliest
    }
  }
}
