import Synchronization

/// A point where the tasks of a check wait for each other, so that their next operations overlap even on a machine that
/// is slow to start some of them.
final class StartLine: Sendable {
  private let tasks: Int
  private let arrived = Atomic(0)

  init(of tasks: Int) { self.tasks = tasks }

  /// Returns when every task has called this as often as the caller has. Throws if the caller is cancelled.
  func meet() async throws {
    let place = arrived.add(1, ordering: .relaxed).oldValue
    let all = (place / tasks + 1) * tasks
    while arrived.load(ordering: .relaxed) < all {
      // A task that fails never arrives; its group cancels the others.
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
