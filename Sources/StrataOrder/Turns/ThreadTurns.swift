#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Synchronization

/// The turns that a thread is inside of: a pointer to a record that only the thread accesses and that lives as long as
/// the thread.
///
/// It is a pointer and not an object: every turn reads it, and reference counting would be half of that cost.
@usableFromInline
package struct ThreadTurns {
  /// A turn in which the thread runs. It is on the thread's stack while the body of the turn runs.
  @usableFromInline
  struct Held {
    /// The `KeyOrder` that the turn belongs to.
    @usableFromInline let order: ObjectIdentifier
    /// The `TurnScope` of the turn, with the key type of `order`.
    @usableFromInline let scope: UnsafeRawPointer
    @usableFromInline let reads: Bool
    @usableFromInline let outer: UnsafePointer<Held>?

    @inlinable
    init(order: ObjectIdentifier, scope: UnsafeRawPointer, reads: Bool, outer: UnsafePointer<Held>?) {
      self.order = order
      self.scope = scope
      self.reads = reads
      self.outer = outer
    }
  }

  @usableFromInline
  struct Record {
    @usableFromInline var innermost: UnsafePointer<Held>?
    /// A number for the parts of `WidelyHeld` and `ThreadCounter`: the same for two threads only if many have run.
    let number = Record.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    /// The pool that owns the thread, or `nil`.
    var pool: BlockingPool?
    /// The jobs that the thread runs for others, or `nil` if it runs none.
    var relay: [@Sendable () -> Void]?

    private static let numbers = Atomic<UInt8>(0)
  }

  @usableFromInline let record: UnsafeMutablePointer<Record>

  @usableFromInline
  init(record: UnsafeMutablePointer<Record>) { self.record = record }

  /// The number of this thread, with which threads choose different parts of shared structures to write to.
  @usableFromInline
  package static var number: UInt8 { current.record.pointee.number }

  /// The record of this thread.
  @usableFromInline
  package static var current: ThreadTurns {
    if let known = pthread_getspecific(slot) {
      return ThreadTurns(record: known.assumingMemoryBound(to: Record.self))
    }
    let new = UnsafeMutablePointer<Record>.allocate(capacity: 1)
    new.initialize(to: Record())
    pthread_setspecific(slot, new)
    return ThreadTurns(record: new)
  }

  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { free($0) }
    precondition(status == 0, "the process has no thread-specific slot left")
    return key
  }()

  /// Called when a thread ends, with the record that `current` has allocated.
  private static func free(_ record: UnsafeMutableRawPointer?) {
    guard let record = record?.assumingMemoryBound(to: Record.self) else { return }
    record.deinitialize(count: 1)
    record.deallocate()
  }

  /// Whether the thread is inside a turn of any order.
  @inlinable
  var isInTurn: Bool { record.pointee.innermost != nil }

  /// Returns whether the thread is inside a turn of an order. Unlike `readsOnly`, it does not depend on the type of the
  /// keys.
  @inlinable
  func isInTurn(of order: ObjectIdentifier) -> Bool {
    var next = record.pointee.innermost
    while let held = next {
      if held.pointee.order == order { return true }
      next = held.pointee.outer
    }
    return false
  }

  /// Runs `body` while the thread is recorded as inside a turn.
  @inlinable
  func hold<Key, R>(
    _ order: KeyOrder<Key>, _ scope: TurnScope<Key>, reads: Bool, _ body: () throws -> R
  ) rethrows -> R {
    try withUnsafePointer(to: scope) { scope in
      let held = Held(
        order: ObjectIdentifier(order), scope: scope, reads: reads, outer: record.pointee.innermost)
      return try withUnsafePointer(to: held) { held in
        record.pointee.innermost = held
        defer { record.pointee.innermost = held.pointee.outer }
        return try body()
      }
    }
  }

  /// Returns whether all overlapping turns that the thread is inside of only read, or `nil` if there is no such turn.
  @usableFromInline
  package func readsOnly<Key>(in order: KeyOrder<Key>, overlapping scope: TurnScope<Key>) -> Bool? {
    var found: Bool?
    var next = record.pointee.innermost
    while let held = next?.pointee {
      // The scope of a turn of this order has this order's type of keys.
      if held.order == ObjectIdentifier(order),
        held.scope.assumingMemoryBound(to: TurnScope<Key>.self).pointee.overlaps(scope)
      {
        found = held.reads && found != false
      }
      next = held.outer
    }
    return found
  }
}
