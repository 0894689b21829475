public import Synchronization

/// An object that many others keep alive, created and released by many threads.
///
/// Each holder is counted in the part of the count that belongs to its thread. With a strong reference each, all
/// threads would write one cache line, the reference count, and wait for one another. A part that is not zero stands
/// for one strong reference.
///
/// Unchecked, because the compiler cannot check a class that has subclasses: the stored property is `let` and
/// `Sendable`.
@usableFromInline
package class WidelyHeld: @unchecked Sendable {
  /// The counts, which take a kilobyte. The first holder makes them: most objects have none. Set once, and released by
  /// `deinit`.
  @usableFromInline final let holders = Atomic<Unmanaged<HolderCounts>?>(nil)

  init() {}

  deinit { holders.load(ordering: .acquiring)?.release() }

  /// Keeps this object alive until `release(from:)`. The caller has a reference meanwhile.
  ///
  /// - Parameter part: the number of the current thread, `ThreadTurns.number`.
  @inlinable
  package final func hold(in part: UInt8) {
    let counts = holders.load(ordering: .acquiring) ?? makeCounts()
    let others = counts._withUnsafeGuaranteedRef {
      $0.parts[Int(part)].pointee.wrappingAdd(1, ordering: .relaxed).oldValue
    }
    if others == 0 { _ = Unmanaged.passRetained(self) }
  }

  /// Ends a `hold(in:)` with the same part, on any thread.
  @inlinable
  package final func release(from part: UInt8) {
    // Releasing, so that every use of this object happens before it is freed by the thread that acquires the last one.
    let others = holders.load(ordering: .acquiring)?._withUnsafeGuaranteedRef {
      $0.parts[Int(part)].pointee.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
    }
    if others == 0 { Unmanaged.passUnretained(self).release() }
  }

  @usableFromInline
  final func makeCounts() -> Unmanaged<HolderCounts> {
    let new = Unmanaged.passRetained(HolderCounts())
    let (isKept, other) = holders.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    guard !isKept, let other else { return new }
    new.release()
    return other
  }
}

/// The counts of an object's holders.
@usableFromInline
final class HolderCounts: Sendable {
  @usableFromInline let parts = PaddedBuffer<Atomic<Int>>(count: 8) { Atomic(0) }

  init() {}
}
