import Observation

/// Watches a property as a view does: by `withObservationTracking`, again after each change, in the next turn of the
/// main actor.
@MainActor
package final class Watcher<Value: Sendable> {
  /// What was read at first, and after each change.
  package private(set) var seen: [Value] = []
  private let read: @MainActor () -> Value

  package init(_ read: @escaping @MainActor () -> Value) {
    self.read = read
    look()
  }

  private func look() {
    let value = withObservationTracking(read) {
      // Unstructured, as the turn in which a view is drawn.
      Task { @MainActor [weak self] in self?.look() }
    }
    seen.append(value)
  }
}
