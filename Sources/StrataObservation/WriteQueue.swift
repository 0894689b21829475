/// The writes of a ``StoredValue`` that its store has not made yet, in order.
///
/// The task that makes them holds this queue and not the value: writes that were called for are made even if the value
/// is released meanwhile.
@MainActor
final class WriteQueue<Value: Sendable> {
  enum Step: Sendable {
    /// Stores a value, or removes it.
    case store(Value?)
    case update(@Sendable (inout Value) throws -> Void)
  }

  /// The end of a write.
  enum End: Sendable {
    /// The value that is stored now.
    case made(Value?)
    /// The error, and what the store has after it.
    case failed(any Error, Result<StoredSource<Value>.Look, any Error>)

    fileprivate func get() throws -> Value? {
      switch self {
      case .made(let value): return value
      case .failed(let error, _): throw error
      }
    }
  }

  typealias Waiter = CheckedContinuation<Value?, any Error>

  private let source: StoredSource<Value>
  private let onEnd: @MainActor (End) -> Void
  private var jobs: [(step: Step, waiters: [Waiter])] = []
  private var isRunning = false
  /// The number of writes that have not ended.
  private(set) var count = 0

  init(_ source: StoredSource<Value>, onEnd: @escaping @MainActor (End) -> Void) {
    self.source = source
    self.onEnd = onEnd
  }

  /// Adds a write. One that replaces the value takes the place of the last write, if that one replaces the value too
  /// and has not begun.
  func add(_ step: Step, _ waiter: Waiter? = nil) {
    if case .store = step, case .store? = jobs.last?.step {
      jobs[jobs.count - 1].step = step
    } else {
      jobs.append((step, []))
      count += 1
    }
    if let waiter { jobs[jobs.count - 1].waiters.append(waiter) }
    if isRunning { return }
    isRunning = true
    Task { await run() }
  }

  private func run() async {
    while !jobs.isEmpty {
      let (step, waiters) = jobs.removeFirst()
      let end = await source.write(step)
      count -= 1
      onEnd(end)
      for waiter in waiters { waiter.resume(with: Result { try end.get() }) }
    }
    isRunning = false
  }
}

extension StoredSource {
  /// Makes a write outside of the caller's actor. After a failure, reads what is stored.
  @concurrent
  fileprivate func write(_ step: WriteQueue<Value>.Step) async -> WriteQueue<Value>.End {
    do {
      switch step {
      case .store(let value):
        try await store(value)
        return .made(value)
      case .update(let modify): return .made(try await update(modify))
      }
    } catch { return .failed(error, await lookUp()) }
  }
}
