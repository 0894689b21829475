#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The turns that a thread has.
///
/// Unchecked: all of it is only touched by the thread itself.
@usableFromInline
final class ThreadTurns: @unchecked Sendable {
  /// A turn in which the thread runs. It lies on the thread's stack for as long as the body of the turn runs.
  @usableFromInline
  struct Held {
    /// The `KeyOrder` that the turn belongs to.
    @usableFromInline let order: ObjectIdentifier
    /// Its `TurnScope`, of that order's keys.
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

  @usableFromInline @exclusivity(unchecked) var innermost: UnsafePointer<Held>?
  /// The pool that owns the thread, if one does.
  var pool: BlockingPool?

  /// The record of this thread.
  @usableFromInline
  static var current: ThreadTurns {
    if let known = pthread_getspecific(slot) {
      return Unmanaged<ThreadTurns>.fromOpaque(known).takeUnretainedValue()
    }
    let new = ThreadTurns()
    pthread_setspecific(slot, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  private static let slot: pthread_key_t = {
    var key = pthread_key_t()
    // Called at a thread's end with what `current` retained.
    let status = pthread_key_create(&key) { record in
      #if canImport(Darwin)
        Unmanaged<ThreadTurns>.fromOpaque(record).release()
      #else
        if let record { Unmanaged<ThreadTurns>.fromOpaque(record).release() }
      #endif
    }
    precondition(status == 0, "the process has no thread-specific slot left")
    return key
  }()

  /// Whether the thread is inside a turn, of any order.
  @inlinable
  var isInTurn: Bool { innermost != nil }

  /// Runs `body` with a note that the thread is inside a turn.
  @inlinable
  func hold<Key, R>(
    _ order: KeyOrder<Key>, _ scope: TurnScope<Key>, reads: Bool, _ body: () throws -> R
  ) rethrows -> R {
    try withUnsafePointer(to: scope) { scope in
      let held = Held(order: ObjectIdentifier(order), scope: scope, reads: reads, outer: innermost)
      return try withUnsafePointer(to: held) { held in
        innermost = held
        defer { innermost = held.pointee.outer }
        return try body()
      }
    }
  }

  /// Whether all turns of some of the keys that the thread is inside of only read; `nil` without one.
  @usableFromInline
  func readsOnly<Key>(in order: KeyOrder<Key>, overlapping scope: TurnScope<Key>) -> Bool? {
    var found: Bool?
    var next = innermost
    while let held = next?.pointee {
      // A scope that was noted with an order has the type of that order's scopes.
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
