extension StorageAware {
  /// Calls a closure with each event of this chain from now on, until the token is cancelled or the tiers are released.
  ///
  /// ```swift
  /// let token = users.listen { event in
  ///   if let error = event.error { print(event.tier, error) }
  /// }
  /// ```
  ///
  /// Each tier of a `Storage`, an `AsyncStorage` or another combination of stores reports its operations, and a loading
  /// store its loads. A store outside of a chain reports only what it does by itself, such as evictions, damage and
  /// reconnections. Listening to a chain tells of all chains that share its tiers.
  ///
  /// The closure is called on the thread and in the task of the operation, often in the turn of the key: it must be
  /// quick, and must not use the store. Without listeners a hit in memory costs nothing more, with one some
  /// nanoseconds.
  @discardableResult
  public func listen(_ listener: @escaping @Sendable (StorageEvent<Key>) -> Void) -> ObservationToken {
    let tokens = tiers.map { $0.reporter.listen(listener) }
    return ObservationToken { for token in tokens { token.cancel() } }
  }

  /// The events of this chain from now on. The sequence ends when the tiers are released.
  ///
  /// The sequence keeps the last 1024 events for a slow reader, which loses older ones. It costs more than `listen`:
  /// each event is handed to another task.
  public var events: AsyncStream<StorageEvent<Key>> {
    let (stream, continuation) = AsyncStream<StorageEvent<Key>>.makeStream(
      bufferingPolicy: .bufferingNewest(1024))
    let ending = StreamEnding(of: continuation)
    let token = listen { ending.continuation.yield($0) }
    continuation.onTermination = { _ in token.cancel() }
    return stream
  }

  /// Runs each remote operation and each load of this chain inside a span of a tracer, until the token is cancelled.
  @discardableResult
  public func trace(with tracer: some StorageTracing) -> ObservationToken {
    let tokens = tiers.map { $0.reporter.tracers.add(tracer) }
    return ObservationToken { for token in tokens { token.cancel() } }
  }
}

/// Ends a stream with the observation that feeds it.
package final class StreamEnding<Element: Sendable>: Sendable {
  package let continuation: AsyncStream<Element>.Continuation
  package init(of continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }
  deinit { continuation.finish() }
}
