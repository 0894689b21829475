public import Synchronization

/// A counter that many threads increase at once: each has a part of its own, in a cache line of its own.
@usableFromInline
package struct ThreadCounter: ~Copyable, Sendable {
  @usableFromInline let parts = PaddedBuffer<Atomic<Int>>(count: 8) { Atomic(0) }

  package init() {}

  /// Counts one.
  @inlinable
  package func add() { parts[Int(ThreadTurns.number)].pointee.wrappingAdd(1, ordering: .relaxed) }

  /// The sum of all parts.
  package var total: Int { (0..<parts.count).reduce(0) { $0 + parts[$1].pointee.load(ordering: .relaxed) } }
}
