public import Synchronization

/// The listeners of a tier. Those who call them take no lock, so that a listener may be added or cancelled by a
/// listener, and threads that report do not wait for each other.
///
/// A change puts a new list in place of the old one. The old one is freed by a later change, when no thread can use it
/// any more: each thread counts itself while it calls listeners, and looks for the list only then.
@usableFromInline
struct ListenerList<Key: Sendable>: ~Copyable, Sendable {
  /// The first listener. `kept` keeps it alive, and it the next one.
  @usableFromInline let current = Atomic<Unmanaged<EventListener<Key>>?>(nil)
  /// Whether a thread calls listeners, for each part of the threads.
  @usableFromInline let callers = PaddedBuffer<Atomic<Int>>(count: 8) { Atomic(0) }
  /// The number of threads that call listeners while another one of their part does, or from within a listener.
  @usableFromInline let otherCallers = Atomic(0)
  /// The first listener, and those of former lists that threads may still use.
  private let kept = Locked<[EventListener<Key>]>([])

  /// Whether there are listeners.
  @inlinable
  var isEmpty: Bool { current.load(ordering: .relaxed) == nil }

  /// Sets the listeners. Not at the same time as another call. Returns former lists, for the caller to release outside
  /// of locks: a listener may hold the last reference to a user's object.
  func set(_ listeners: [EventListener<Key>]) -> [EventListener<Key>] {
    let list = listeners.reversed().reduce(nil) { EventListener($1.listener, before: $0) }
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
  @inline(__always)
  func call(_ event: StorageEvent<Key>) {
    let caller = callers[stackNumber]
    // A thread that is alone in its part leaves it by a plain store, which takes a third of the time of an addition.
    let isAlone = caller.pointee.compareExchange(expected: 0, desired: 1, ordering: .sequentiallyConsistent)
      .exchanged
    if !isAlone { otherCallers.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    var next = current.load(ordering: .sequentiallyConsistent)
    while let listener = next {
      next = listener._withUnsafeGuaranteedRef { listener in
        listener.listener(event)
        return listener.next
      }
    }
    if isAlone {
      caller.pointee.store(0, ordering: .releasing)
    } else {
      otherCallers.wrappingSubtract(1, ordering: .releasing)
    }
  }
}

/// A listener of events: an object, since a closure could not be cast without being wrapped in others.
@usableFromInline
final class EventListener<Key: Sendable>: Sendable {
  @usableFromInline let listener: @Sendable (StorageEvent<Key>) -> Void
  /// The listener that is called after this one. It is not retained by a call: `owned` keeps it alive.
  @usableFromInline let next: Unmanaged<EventListener>?
  private let owned: EventListener?

  init(_ listener: @escaping @Sendable (StorageEvent<Key>) -> Void, before next: EventListener? = nil) {
    self.listener = listener
    self.next = next.map { .passUnretained($0) }
    owned = next
  }
}
