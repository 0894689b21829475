import StrataCore

/// Loads in the background.
extension LoadEngine {
  /// Starts refreshing values that are still fresh, except keys that are being loaded or whose last load failed
  /// recently. `mark` is from before the values were read.
  func refresh(_ due: [(key: Key, seen: Cached<Value>)], _ mark: Mark) {
    var planned: [Planned] = []
    for (key, seen) in due where !failures.isWaiting(key, now: now) {
      guard let flight = flights.enterAlone(key) else { continue }
      planned.append(
        Planned(key: key, flight: flight, reason: .ahead, seen: seen, looksAgain: self.mark != mark))
    }
    guard !planned.isEmpty else { return }
    guard loader.isForMany, let time = policy.refreshGathering else { return launchRefreshes(planned) }
    let (full, replaced, isFirst) = gatherer.add(planned, limit: policy.bulkLimit)
    for load in replaced { flights.giveUp(load.flight) }
    launchRefreshes(full)
    if isFirst { gather(for: time) }
  }

  /// Starts the gathered refreshes after a time, with the task-local values of the read that has requested the first.
  private func gather(for time: Duration) {
    Task {
      do { try await clock.sleep(for: time) } catch { return }
      launchRefreshes(gatherer.takeAll())
    }
  }

  /// Starts refreshes, unless too many loads run in the background.
  func launchRefreshes(_ planned: [Planned]) {
    for part in parts(of: planned) {
      background.begin(part.id)
      if background.add(part.id) {
        launch(part, in: .background)
      } else {
        background.end(part.id)
        for load in part.loads {
          flights.giveUp(load.flight)
          reporter.report(.refreshSkipped, load.key)
        }
      }
    }
  }
}
