import StrataCore
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
    let taken = try resting.take() ?? .passRetained(make())
    defer { giveBack(taken) }
    // Unsafe: the idle contexts are all of this pool's type.
    return try taken._withUnsafeGuaranteedRef { try body(unsafeDowncast($0, to: Context.self)) }
  }

  @inlinable
  func giveBack(_ taken: Unmanaged<AnyContext>) {
    let isWorthKeeping = taken._withUnsafeGuaranteedRef { reset(unsafeDowncast($0, to: Context.self)) }
    if isWorthKeeping { resting.give(taken, limit: limit) } else { taken.release() }
  }
}

/// A context with its type erased: only the code that uses it needs the type.
@usableFromInline typealias AnyContext = any AnyObject & Sendable

/// The idle contexts of a pool. It owns a reference of each, which it passes on with the context: taking and giving
/// back counts no references.
@usableFromInline
final class RestingContexts: Sendable {
  /// The context that was used last, taken and given without the lock.
  private let last = Atomic<Unmanaged<AnyContext>?>(nil)
  private let others = Locked<[AnyContext]>([])

  @usableFromInline init() {}

  deinit { last.load(ordering: .acquiring)?.release() }

  var count: Int { others.withLock(\.count) + (last.load(ordering: .relaxed) == nil ? 0 : 1) }

  @usableFromInline
  func take() -> Unmanaged<AnyContext>? {
    last.exchange(nil, ordering: .acquiring) ?? others.withLock { $0.popLast() }.map(Unmanaged.passRetained)
  }

  @usableFromInline
  func give(_ context: Unmanaged<AnyContext>, limit: Int) {
    if last.compareExchange(expected: nil, desired: context, ordering: .releasing).exchanged { return }
    let context = context.takeRetainedValue()
    others.withLock { if $0.count < limit - 1 { $0.append(context) } }
  }
}
