public import Synchronization

/// The listeners of a tier. Those who call them take no lock, so that a listener may be added or cancelled by a
/// listener, and threads that report do not wait for each other.
///
/// A change puts a new list in place of the old one. The old one is freed by a later change, when no thread can use it
/// any more: each thread counts itself while it calls listeners, and looks for the list only then.
@usableFromInline
struct ListenerList<Key: Sendable>: ~Copyable, Sendable {
  @usableFromInline
  final class Listeners: Sendable {
    /// The first listener, which usually is the only one. Neither is retained by a call: `all` keeps them alive.
    @usableFromInline let first: Unmanaged<EventListener<Key>>
    @usableFromInline let others: [EventListener<Key>]
    private let all: [EventListener<Key>]

    init?(_ all: [EventListener<Key>]) {
      guard let first = all.first else { return nil }
      self.first = .passUnretained(first)
      others = Array(all.dropFirst())
      self.all = all
    }
  }

  /// The list, unless it is empty. `kept` keeps it alive.
  @usableFromInline let current = Atomic<Unmanaged<Listeners>?>(nil)
  /// Whether a thread calls listeners, for each part of the threads.
  @usableFromInline let callers = PaddedBuffer<Atomic<Int>>(count: 8) { Atomic(0) }
  /// The number of threads that call listeners while another one of their part does, or from within a listener.
  @usableFromInline let otherCallers = Atomic(0)
  /// The list, and former lists that threads may still use.
  private let kept = Locked<[Listeners]>([])

  /// Whether there are listeners.
  @inlinable
  var isEmpty: Bool { current.load(ordering: .relaxed) == nil }

  /// Sets the listeners. Not at the same time as another call. Returns former lists, for the caller to release outside
  /// of locks: a listener may hold the last reference to a user's object.
  func set(_ listeners: [EventListener<Key>]) -> [Listeners] {
    let list = Listeners(listeners)
    current.store(list.map { .passUnretained($0) }, ordering: .sequentiallyConsistent)
    let isUsed =
      otherCallers.load(ordering: .sequentiallyConsistent) != 0
      || (0..<callers.count).contains { callers[$0].pointee.load(ordering: .sequentiallyConsistent) != 0 }
    return kept.withLock { kept in
      let old = kept
      kept = (isUsed ? old : []) + (list.map { [$0] } ?? [])
      return isUsed ? [] : old
    }
  }

  /// Calls the listeners.
  @inlinable
  func call(_ event: StorageEvent<Key>) {
    let caller = callers[stackNumber]
    // A thread that is alone in its part leaves it by a plain store, which takes a third of the time of an addition.
    if caller.pointee.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent).exchanged {
      tell(event)
      caller.pointee.store(0, ordering: .releasing)
    } else {
      otherCallers.wrappingAdd(1, ordering: .sequentiallyConsistent)
      tell(event)
      otherCallers.wrappingSubtract(1, ordering: .releasing)
    }
  }

  @inlinable
  @inline(__always)
  func tell(_ event: StorageEvent<Key>) {
    guard let list = current.load(ordering: .sequentiallyConsistent) else { return }
    list._withUnsafeGuaranteedRef { list in
      list.first._withUnsafeGuaranteedRef { $0.tell(event) }
      for listener in list.others { listener.tell(event) }
    }
  }
}

/// A listener of events: an object, since a closure could not be cast without being wrapped in others.
@usableFromInline
final class EventListener<Key: Sendable>: Sendable {
  @usableFromInline let listener: @Sendable (StorageEvent<Key>) -> Void

  init(_ listener: @escaping @Sendable (StorageEvent<Key>) -> Void) { self.listener = listener }

  @inlinable
  func tell(_ event: StorageEvent<Key>) { listener(event) }
}

/// A number that the address of the thread's stack selects. It is quicker to find than a thread's own number; threads
/// that happen to share one only slow each other down.
@inlinable
@inline(__always)
var stackNumber: Int {
  var here: UInt8 = 0
  return withUnsafePointer(to: &here) { here in
    let address = UInt(bitPattern: here)
    return Int(truncatingIfNeeded: address >> 16 ^ address >> 20 ^ address >> 23)
  }
}
