import Synchronization

/// A pool of idle contexts of a library: creating one costs more than compressing 10 kB with it.
///
/// As many contexts are created as threads need at the same time, and a few idle ones are kept. No lock is held while a
/// context is used.
@usableFromInline
package final class ContextPool<Context: AnyObject & Sendable>: Sendable {
  @usableFromInline let resting = RestingContexts()
  @usableFromInline let limit: Int
  @usableFromInline let make: @Sendable () throws -> Context
  @usableFromInline let reset: @Sendable (Context) -> Bool

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
  @inlinable
  package func withContext<R>(_ body: (Context) throws -> R) throws -> R {
    let context: Context
    // Unsafe: the idle contexts are all of this pool's type.
    if let idle = resting.take() {
      context = unsafeDowncast(idle, to: Context.self)
    } else {
      context = try make()
    }
    defer { if reset(context) { resting.give(context, limit: limit) } }
    return try body(context)
  }
}

/// The idle contexts of a pool, without their type, which only the code that uses them knows.
@usableFromInline
final class RestingContexts: Sendable {
  @usableFromInline typealias Context = any AnyObject & Sendable

  /// The context that was used last, taken and given without the lock. It owns one reference.
  private let last = Atomic<Unmanaged<Context>?>(nil)
  private let others = Locked<[Context]>([])

  @usableFromInline init() {}

  deinit { last.load(ordering: .acquiring)?.release() }

  var count: Int { others.withLock(\.count) + (last.load(ordering: .relaxed) == nil ? 0 : 1) }

  @usableFromInline
  func take() -> Context? {
    if let context = last.exchange(nil, ordering: .acquiring) { return context.takeRetainedValue() }
    return others.withLock { $0.popLast() }
  }

  @usableFromInline
  func give(_ context: Context, limit: Int) {
    let kept = Unmanaged<Context>.passRetained(context)
    if last.compareExchange(expected: nil, desired: kept, ordering: .releasing).exchanged { return }
    kept.release()
    others.withLock { if $0.count < limit - 1 { $0.append(context) } }
  }
}
