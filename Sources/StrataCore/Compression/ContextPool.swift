/// Contexts of a library that rest between two calls: to make one costs more than to compress 10 kB with it.
///
/// As many contexts are made as threads ask at the same time, and a few of them are kept. The pool's lock is held while
/// a context is taken or given back, and never while it works.
package final class ContextPool<Context: AnyObject & Sendable>: Sendable {
  @usableFromInline let resting = Locked<[Context]>([])
  @usableFromInline let limit: Int
  @usableFromInline let make: @Sendable () throws -> Context
  @usableFromInline let reset: @Sendable (Context) -> Bool

  /// - Parameters:
  ///   - limit: how many contexts are kept.
  ///   - reset: makes a context as good as new; returns whether it is worth keeping.
  @inlinable
  package init(
    limit: Int = 8, make: @escaping @Sendable () throws -> Context,
    reset: @escaping @Sendable (Context) -> Bool
  ) {
    self.limit = limit
    self.make = make
    self.reset = reset
  }

  /// How many contexts wait for work.
  package var restingCount: Int { resting.withLock(\.count) }

  /// Runs `body` with a context that nobody else has meanwhile.
  @inlinable
  package func withContext<R>(_ body: (Context) throws -> R) throws -> R {
    let context = try resting.withLock { $0.popLast() } ?? make()
    defer {
      if reset(context) {
        resting.withLock { resting in
          if resting.count < limit { resting.append(context) }
        }
      }
    }
    return try body(context)
  }
}
