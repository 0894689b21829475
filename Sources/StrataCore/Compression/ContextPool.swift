/// Contexts of a library that rest between two calls: to make one costs more than to compress 10 kB with it.
///
/// As many contexts are made as threads ask at the same time, and a few of them are kept. The pool's lock is held while
/// a context is taken or given back, and never while it works.
package final class ContextPool<Context: AnyObject & Sendable>: Sendable {
  private let resting = RestingContexts()
  private let limit: Int
  private let make: @Sendable () throws -> Context
  private let reset: @Sendable (Context) -> Bool

  /// - Parameters:
  ///   - limit: how many contexts are kept.
  ///   - reset: makes a context as good as new; returns whether it is worth keeping.
  package init(
    limit: Int = 8, make: @escaping @Sendable () throws -> Context,
    reset: @escaping @Sendable (Context) -> Bool
  ) {
    self.limit = limit
    self.make = make
    self.reset = reset
  }

  /// How many contexts wait for work.
  package var restingCount: Int { resting.count }

  /// Runs `body` with a context that nobody else has meanwhile.
  package func withContext<R>(_ body: (Context) throws -> R) throws -> R {
    // Unsafe: only contexts of this pool were put there.
    let context = try resting.take().map { unsafeDowncast($0, to: Context.self) } ?? make()
    defer { if reset(context) { resting.give(context, limit: limit) } }
    return try body(context)
  }
}

/// The contexts of a pool, of whatever type: generic code of another module is not specialised, and would cost as much
/// as to compress a small value.
private final class RestingContexts: Sendable {
  private let contexts = Locked<[any AnyObject & Sendable]>([])

  var count: Int { contexts.withLock(\.count) }

  func take() -> (any AnyObject & Sendable)? { contexts.withLock { $0.popLast() } }

  func give(_ context: any AnyObject & Sendable, limit: Int) {
    contexts.withLock { if $0.count < limit { $0.append(context) } }
  }
}
