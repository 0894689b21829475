import StrataCore

/// The writes of a ``StoredValue`` that its store has not made yet, in order.
///
/// The task that makes them holds this queue and not the value: writes that were called for are made even if the value
/// is released meanwhile.
@MainActor
final class WriteQueue<Value: Sendable> {
  enum Step: Sendable {
    /// Stores a value, or removes it.
    case store(Value?)
    /// Changes the value, or the default if there is none.
    case update(@Sendable (inout Value) throws -> Void, default: Value? = nil)
    /// Stores a value that was made of a default, unless another value than the default is stored.
    case establish(Value, default: Value)

    /// Whether the step stores a value whatever an earlier one has stored.
    fileprivate func replaces(_ earlier: Step) -> Bool {
      switch (self, earlier) {
      case (.store, .store), (.store, .establish), (.establish, .establish): true
      default: false
      }
    }
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
  /// Whether a value that was made of a default is stored: later changes were made of that value.
  private var isEstablished = false
  /// The number of writes that have not ended.
  private(set) var count = 0

  init(_ source: StoredSource<Value>, onEnd: @escaping @MainActor (End) -> Void) {
    self.source = source
    self.onEnd = onEnd
  }

  /// Adds a write. One that replaces the value takes the place of the last write, if that one replaces the value too
  /// and has not begun.
  func add(_ step: Step, _ waiter: Waiter? = nil) {
    if let last = jobs.last?.step, step.replaces(last) {
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
      var (step, waiters) = jobs.removeFirst()
      if isEstablished, case .establish(let value, _) = step { step = .store(value) }
      let end = await source.write(step)
      if case .establish = step, case .made = end { isEstablished = true }
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
      case .update(let modify, nil): return .made(try await update(modify))
      case .update(let modify, let fallback?):
        return .made(
          try await update(modify) {
            var value = fallback
            try modify(&value)
            return value
          })
      case .establish(let value, let fallback):
        return .made(
          try await update { stored in
            guard areEqual(stored, fallback) else { throw StorageError.notYetRead }
            stored = value
          } orStore: {
            value
          })
      }
    } catch { return .failed(error, await lookUp([])) }
  }
}
