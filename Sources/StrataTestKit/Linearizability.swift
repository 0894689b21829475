/// An operation on one key: its start, its end, and its result.
package struct HistoryEvent: Sendable, CustomStringConvertible {
  /// An operation as a transition between states of the key: the state is the value, or `nil` for none.
  package enum Action: Sendable, Equatable {
    case write(Int)
    case remove
    /// A read and its result.
    case read(Int?)
    /// An update: the value it read and the value it wrote. With no value it failed.
    case update(saw: Int?, wrote: Int)
  }

  package let action: Action
  package let start: Int
  package let end: Int
  package let by: String

  package init(_ action: Action, start: Int, end: Int, by: String) {
    self.action = action
    self.start = start
    self.end = end
    self.by = by
  }

  package var description: String { "[\(start)…\(end)] \(action) by \(by)" }

  /// Returns the state after the event, or `nil` if the event is impossible in this state.
  fileprivate func applied(to state: Int?) -> Int?? {
    switch action {
    case .write(let value): .some(value)
    case .remove: .some(nil)
    case .read(let seen): seen == state ? .some(state) : nil
    case .update(let saw, let wrote): saw == state ? .some(saw == nil ? nil : wrote) : nil
    }
  }
}

/// Returns whether an order of the events on one key explains all of them, with each taking effect between its call and
/// its return. At most 64 events.
package func isLinearizable(_ events: [HistoryEvent], from initial: Int?) -> Bool {
  precondition(events.count <= 64)
  let events = events.sorted { $0.start < $1.start }
  let all: UInt64 = events.count == 64 ? .max : (1 << events.count) - 1
  struct Point: Hashable {
    let done: UInt64
    let state: Int?
  }
  var seen: Set<Point> = []
  func search(_ point: Point) -> Bool {
    if point.done == all { return true }
    guard seen.insert(point).inserted else { return false }
    // Only an event that started before the first return of all pending events may come next.
    var firstEnd = Int.max
    for (index, event) in events.enumerated() where point.done & (1 << index) == 0 {
      if event.start > firstEnd { break }
      firstEnd = min(firstEnd, event.end)
    }
    for (index, event) in events.enumerated() where point.done & (1 << index) == 0 {
      if event.start > firstEnd { break }
      guard let next = event.applied(to: point.state) else { continue }
      if search(Point(done: point.done | (1 << index), state: next)) { return true }
    }
    return false
  }
  return search(Point(done: 0, state: initial))
}
