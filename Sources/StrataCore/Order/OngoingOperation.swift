import Synchronization

/// An operation that runs in its turn: how the tasks that a store starts meanwhile are known to be part of it.
///
/// A store that is called in a turn may start child tasks and wait for them. If one of these waits for the same turn,
/// it waits for the operation, and the operation waits for it. A task-local value, which the tasks that are started
/// inherit, shows that.
///
/// Child tasks, tasks in groups and those started with `Task {}` all inherit the value, and nothing tells which of them
/// the operation waits for. So all of them count as part of it until it has ended; only `Task.detached` does not.
package final class OngoingOperation: Sendable {
  @TaskLocal private static var innermost: OngoingOperation?

  private let task: Runner
  private let outer: OngoingOperation?
  private let hasEnded = Atomic(false)

  private init(in task: Runner, outer: OngoingOperation?) {
    self.task = task
    self.outer = outer
  }

  /// The innermost operation that the current task is part of and that has not ended.
  private static var current: OngoingOperation? {
    var operation = innermost
    while let ended = operation, ended.hasEnded.load(ordering: .acquiring) { operation = ended.outer }
    return operation
  }

  /// The current task and those whose ongoing operations it is part of. Empty where no task runs.
  static var runners: [Runner] {
    let task = Runner.currentTask
    if task == .nobody { return [] }
    var runners = [task]
    var next = innermost
    while let operation = next {
      if operation.task != task, !operation.hasEnded.load(ordering: .acquiring) {
        runners.append(operation.task)
      }
      next = operation.outer
    }
    return runners
  }

  /// Runs an operation in its turn: the tasks that `body` starts are part of it.
  ///
  /// Inside another operation of the same task nothing is noted: that one has not ended before this one.
  package static func run<R>(_ body: () async throws -> R) async rethrows -> R {
    let task = Runner.currentTask
    let outer = current
    if outer?.task == task { return try await body() }
    let operation = OngoingOperation(in: task, outer: outer)
    defer { operation.hasEnded.store(true, ordering: .releasing) }
    return try await $innermost.withValue(operation, operation: body)
  }

  /// Runs code that no operation waits for: the tasks that it starts are part of none.
  static func apart(_ body: () -> Void) {
    if innermost == nil { return body() }
    $innermost.withValue(nil, operation: body)
  }
}
