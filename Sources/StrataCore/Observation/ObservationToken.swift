/// A token that ends an observation. Releasing the token does not: without `cancel()` the observation lasts as long as
/// the observer.
///
/// ```swift
/// let token = users.addStorageObserver(watcher) { _, _, change in print(change) }
/// token.cancel()
/// ```
public final class ObservationToken: Sendable {
  private let action: @Sendable () -> Void

  package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  /// Ends the observation. A call that is already running on another thread may still finish.
  public func cancel() { action() }
}
