/// A pool of idle contexts of a library: creating one costs more than compressing 10 kB with it.
///
/// As many contexts are created as threads need at the same time, and a few idle ones are kept. The pool's lock is held
/// while a context is taken or returned, and never while it is used.
package final class ContextPool<Context: AnyObject & Sendable>: Sendable {
  private let resting = RestingContexts()
  private let limit: Int
  private let make: @Sendable () throws -> Context
  private let reset: @Sendable (Context) -> Bool

  /// - Parameters:
  ///   - limit: the maximum number of idle contexts.
  ///   - reset: resets a context. Returns whether it is worth keeping.
  package init(
    limit: Int = 8, make: @escaping @Sendable () throws -> Context,
    reset: @escaping @Sendable (Context) -> Bool
  ) {
    self.limit = limit
    self.make = make
    self.reset = reset
  }

  /// The number of idle contexts.
  package var restingCount: Int { resting.count }

  /// Runs `body` with a context that no other caller uses meanwhile.
  package func withContext<R>(_ body: (Context) throws -> R) throws -> R {
    // Unsafe: the idle contexts are all of this pool's type.
    let context = try resting.take().map { unsafeDowncast($0, to: Context.self) } ?? make()
    defer { if reset(context) { resting.give(context, limit: limit) } }
    return try body(context)
  }
}

/// The idle contexts of a pool, without their type: generic code of another module is not specialized, and would cost
/// as much as compressing a small value.
private final class RestingContexts: Sendable {
  private let contexts = Locked<[any AnyObject & Sendable]>([])

  var count: Int { contexts.withLock(\.count) }

  func take() -> (any AnyObject & Sendable)? { contexts.withLock { $0.popLast() } }

  func give(_ context: any AnyObject & Sendable, limit: Int) {
    contexts.withLock { if $0.count < limit { $0.append(context) } }
  }
}
