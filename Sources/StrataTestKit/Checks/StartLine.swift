import Synchronization

/// A barrier for the tasks of a check, so that their next operations overlap even if a slow machine starts some of them
/// late.
final class StartLine: Sendable {
  private let tasks: Int
  private let arrived = Atomic(0)

  init(of tasks: Int) { self.tasks = tasks }

  /// Waits until every task has called this function as often as the caller. Throws if the caller is cancelled.
  func meet() async throws {
    let place = arrived.add(1, ordering: .relaxed).oldValue
    let all = (place / tasks + 1) * tasks
    while arrived.load(ordering: .relaxed) < all {
      // A task that has failed never arrives; its task group then cancels the other tasks.
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
