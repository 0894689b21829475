/// The operations of a tier, as `ReportedTier` reports them. They are functions of the unretained reporter.
extension Unmanaged {
  /// Returns the time, if the operation that begins is measured.
  @inlinable
  func begin<Key>() -> Stopwatch where Instance == TierReporter<Key> {
    _withUnsafeGuaranteedRef { $0.isMeasured ? .start() : .off }
  }

  /// Reports a read of one key that has succeeded.
  @inlinable
  func didRead<Key>(
    _ key: @autoclosure () -> Key?, isHit: Bool, _ start: Stopwatch
  ) where Instance == TierReporter<Key> {
    didRead(key(), hits: isHit ? 1 : 0, misses: isHit ? 0 : 1, start)
  }

  /// Reports a read that has succeeded.
  @inlinable
  func didRead<Key>(
    _ key: @autoclosure () -> Key?, hits: Int, misses: Int, _ start: Stopwatch
  ) where Instance == TierReporter<Key> {
    _withUnsafeGuaranteedRef { reporter in
      let duration = reporter.withCounts { $0.didRead(hits: hits, misses: misses, start) }
      guard reporter.isOn else { return }
      if hits > 0 { reporter.send(.hit, key(), hits, duration) }
      if misses > 0 { reporter.send(.miss, key(), misses, duration) }
    }
  }

  /// Reports a change that has succeeded.
  @inlinable
  func didChange<Key>(
    _ key: @autoclosure () -> Key?, _ effect: TierEffect, count: Int = 1, _ start: Stopwatch
  ) where Instance == TierReporter<Key> {
    _withUnsafeGuaranteedRef { reporter in
      let duration = reporter.withCounts { $0.didChange(effect, count, start) }
      if reporter.isOn, effect != .nothing { reporter.send(effect, key(), count, duration) }
    }
  }

  /// Reports an error, unless it only says that nothing was done.
  @inlinable
  func didFail<Key>(_ key: Key?, count: Int = 1, _ error: any Error, _ start: Stopwatch)
  where Instance == TierReporter<Key> {
    _withUnsafeGuaranteedRef { $0.failed(key, count, error, start) }
  }
}

extension TierReporter {
  /// The counters, which are not retained.
  @inlinable
  @inline(__always)
  func withCounts<R>(_ body: (TierCounts) -> R) -> R {
    Unmanaged.passUnretained(counts)._withUnsafeGuaranteedRef(body)
  }

  @usableFromInline
  func failed(_ key: Key?, _ count: Int, _ error: any Error, _ start: Stopwatch) {
    if error is WouldWait || error is CancellationError { return }
    let duration = start.duration
    // A damaged entry says nothing about whether the tier answers.
    if let error = error as? StorageError, error == .malformedFileAttributes {
      return report(.damage(error), key, count: count, duration: duration)
    }
    counts.failed()
    report(.failure(error), key, count: count, duration: duration)
  }
}
