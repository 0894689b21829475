public import Synchronization

/// An object that many others keep alive, created and released by many threads.
///
/// Each of them counts itself in the part of the count that belongs to its thread. With a strong reference each, all
/// threads would write one cache line, the reference count, and wait for one another. A part that is not zero stands
/// for one strong reference.
///
/// Unchecked, because the compiler cannot check a class that has subclasses: the stored property is `let` and
/// `Sendable`.
@usableFromInline
package class WidelyHeld: @unchecked Sendable {
  @usableFromInline final let holders = PaddedBuffer<Atomic<Int>>(count: 8) { Atomic(0) }

  init() {}

  /// Keeps this object alive until `release(from:)`. The caller has a reference meanwhile.
  ///
  /// - Parameter part: the number of the current thread, `ThreadTurns.number`.
  @inlinable
  final func hold(in part: UInt8) {
    if holders[Int(part)].pointee.wrappingAdd(1, ordering: .relaxed).oldValue == 0 {
      _ = Unmanaged.passRetained(self)
    }
  }

  /// Ends a `hold(in:)` with the same part, on any thread.
  @inlinable
  final func release(from part: UInt8) {
    // Releasing, so that every use of this object happens before it is freed by the thread that acquires the last one.
    if holders[Int(part)].pointee.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      Unmanaged.passUnretained(self).release()
    }
  }
}
