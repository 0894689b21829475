/// The loads of a ``StoredValue``, and when to start one.
struct StoredLoader<Value: Sendable> {
  /// The load that is running.
  var task: Task<Void, Never>?
  var failure: (any Error)?
  /// The value of the last load, which is shown if the store has none: a loader may say that it must not be stored.
  var unstored: Value?
  /// Whether no read has ended yet.
  var isFirst = true
  private var wasMissing = false

  /// Returns why a load has to be started, or `nil`. A value that a store does not keep, or that is stale at once, is
  /// not loaded again: each load would cause the next one.
  mutating func reason(after look: StoredSource<Value>.Look) -> StoredSource<Value>.LoadReason? {
    defer {
      isFirst = false
      wasMissing = look.isMissing
      if !look.isMissing { unstored = nil }
    }
    if look.isMissing { return wasMissing ? nil : .isMissing }
    return look.isStale && isFirst ? .isStale : nil
  }

  /// Makes the read after the end of the load that is running start another one, if the value is still missing.
  mutating func loadAgainIfMissing() { wasMissing = false }
}

extension StoredValue {
  /// Starts a load, unless one is running. Returns its task, or `nil` if the store has no loader.
  @discardableResult
  func load(_ reason: StoredSource<Value>.LoadReason) -> Task<Void, Never>? {
    guard let load = source.load else { return nil }
    if let task = loader.task {
      // The value was removed meanwhile.
      if reason == .isMissing { loader.loadAgainIfMissing() }
      return task
    }
    let end: @MainActor @Sendable (Result<Value?, any Error>) -> Void = { [weak self] in self?.endLoad($0) }
    let task = Task.detached {
      do { await end(.success(try await load(reason))) } catch { await end(.failure(error)) }
    }
    loader.task = task
    signal.run(.load, task)
    return task
  }

  private func endLoad(_ result: Result<Value?, any Error>) {
    loader.task = nil
    switch result {
    case .success(let value): (loader.unstored, loader.failure) = (value, nil)
    case .failure(let error): loader.failure = error
    }
    signal.send()
  }
}
