import StrataCore

extension LoadEngine {
  typealias Outcomes = [Key: Result<Found<Value>, any Error>]

  /// Reads many keys, each once, and loads missing and stale values. Throws only if this task is cancelled.
  ///
  /// Calls the loader as few times as `bulkLimit` allows; joins loads in flight.
  func read(_ keys: [Key]) async throws -> Outcomes {
    var outcomes: Outcomes = [:]
    var rest = keys
    while !rest.isEmpty {
      let waiting = try await begin(rest, &outcomes)
      rest = []
      for (index, place) in waiting.enumerated() {
        do {
          if let found = try await outcome(of: place) {
            outcomes[place.key] = .success(found)
          } else {
            rest.append(place.key)
          }
        } catch {
          guard !Task.isCancelled else {
            for left in waiting[(index + 1)...] { left.flight.map(flights.withdraw) }
            throw error
          }
          outcomes[place.key] = .failure(error)
        }
      }
    }
    return outcomes
  }

  /// Records fresh values, starts loading the rest, and returns the loads to wait for.
  private func begin(_ keys: [Key], _ outcomes: inout Outcomes) async throws -> [Waiting] {
    let mark = mark
    let stored = try await lookUp(keys)
    var due: [(key: Key, seen: Cached<Value>)] = []
    var missing: [(key: Key, stored: Stored)] = []
    for key in keys {
      let (found, rest) = try await judge(stored[key] ?? (nil, false), key)
      if let found {
        outcomes[key] = .success(found)
        if let cached = rest.cached { due.append((key, cached)) }
      } else {
        missing.append((key, rest))
      }
    }
    refresh(due, mark)
    // Nothing below may throw before the loads have started, since other callers may have joined them.
    let entered = missing.map { enter($0.key, $0.stored, mark) }
    launch(entered.compactMap { $0.flight == nil ? nil : $1 }, in: .foreground)
    launchRefreshes(entered.compactMap { $0.flight == nil ? $1 : nil })
    return entered.map(\.0)
  }
}
