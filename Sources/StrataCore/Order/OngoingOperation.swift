public import Synchronization

/// An operation that runs in its turn. Tasks that a store starts meanwhile are recognized as parts of the operation.
///
/// A store that is called in a turn may start child tasks and wait for them. If a child task waited for the same turn,
/// it would wait for the operation, which waits for the child task. A task-local value, which started tasks inherit,
/// makes this deadlock detectable.
///
/// Child tasks, tasks in groups and those started with `Task {}` all inherit the value, and it is unknown which of them
/// the operation waits for. So all of them count as part of it until it has ended; only `Task.detached` does not.
@usableFromInline
package final class OngoingOperation: Sendable {
  /// The innermost operation that the current task is part of. It may have ended.
  @usableFromInline static let innermost = TaskLocal<OngoingOperation?>(wrappedValue: nil)

  private let task: Runner
  private let outer: OngoingOperation?
  @usableFromInline let hasEnded = Atomic(false)

  private init(in task: Runner, outer: OngoingOperation?) {
    self.task = task
    self.outer = outer
  }

  /// The current task and those whose ongoing operations it is part of. Empty where no task runs.
  static var runners: [Runner] {
    let task = Runner.currentTask
    if task == .nobody { return [] }
    var runners = [task]
    var next = innermost.get()
    while let operation = next {
      if operation.task != task, !operation.hasEnded.load(ordering: .acquiring) {
        runners.append(operation.task)
      }
      next = operation.outer
    }
    return runners
  }

  /// Whether the current task is part of an operation that has not ended.
  @usableFromInline
  package static var isOngoing: Bool {
    var next = innermost.get()
    while let operation = next, operation.hasEnded.load(ordering: .acquiring) { next = operation.outer }
    return next != nil
  }

  /// Runs an operation in its turn: the tasks that `body` starts are part of it.
  @inlinable
  package static func run<R>(_ body: () async throws -> R) async rethrows -> R {
    try await run(in: .currentTask, body)
  }

  @inlinable
  static func run<R>(in task: Runner, _ body: () async throws -> R) async rethrows -> R {
    guard let operation = begin(in: task) else { return try await body() }
    defer { operation.hasEnded.store(true, ordering: .releasing) }
    return try await innermost.binding(operation, body)
  }

  /// Begins an operation of a task. Returns `nil` inside another operation of the same task, since the outer one ends
  /// later.
  @usableFromInline
  static func begin(in task: Runner) -> OngoingOperation? {
    // Operations that have ended are released: otherwise a chain of tasks, each outliving the task that started it,
    // would keep all of them alive.
    var outer = innermost.get()
    while let ended = outer, ended.hasEnded.load(ordering: .acquiring) { outer = ended.outer }
    return outer?.task == task ? nil : OngoingOperation(in: task, outer: outer)
  }

  /// Runs code that no operation waits for: the tasks that it starts are not part of any operation.
  @usableFromInline
  static func apart(_ body: () -> Void) {
    if innermost.get() == nil { return body() }
    innermost.withValue(nil, operation: body)
  }
}

/// Returns whether an operation of a store with `await` may suspend. Otherwise it runs on the caller's thread, which it
/// may block.
package func maySuspend(_ store: any StorageDesign) -> Bool {
  store.traits.suspends ?? (!(store is any SyncStorageAware) || store.wrappedStorages.contains(where: maySuspend))
}

/// Returns whether an operation of a store may have to wait, by blocking or by suspending.
package func mayWait(_ store: any StorageAware) -> Bool {
  store.mayBlock || !(store is any SyncStorageAware)
}
