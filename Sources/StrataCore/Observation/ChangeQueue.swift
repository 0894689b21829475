/// The recorded changes that observers have not received yet, in order.
///
/// Up to `limit` changes are kept one by one. If observers are slower than the writers, only the last change of each
/// key is kept of those that follow: the length is bounded by the number of keys, and the last change of a key is never
/// lost.
@usableFromInline
struct ChangeQueue<Key: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Event = ObserverList<Key>.Event

  @usableFromInline var each = FIFO<Event>()
  /// The changes after those of `each`.
  @usableFromInline var merged = MergedChanges<Key>()

  init() {}

  /// The number of changes that are kept one by one.
  @inlinable static var limit: Int { 1024 }

  @inlinable var isEmpty: Bool { each.isEmpty && merged.isEmpty }
  var count: Int { each.count + merged.count }

  /// Adds a change. Returns the changes that are no longer delivered, for the caller to release outside the lock: the
  /// last reference to a user's object may be in one of them.
  @inlinable
  mutating func append(_ event: Event) -> [Event] {
    if each.count >= Self.limit || !merged.isEmpty { return merged.append(event) }
    each.append(event)
    return []
  }

  @inlinable
  mutating func popFirst() -> Event? { each.popFirst() ?? merged.popFirst() }
}

/// Changes of which the last one of each key is kept, in the order of these.
@usableFromInline
struct MergedChanges<Key: Hashable & Sendable>: Sendable {
  @usableFromInline typealias Event = ObserverList<Key>.Event

  /// What a change replaces an earlier change of.
  private enum Subject: Hashable, Sendable {
    case value(Key)
    case memory(Key)
    case expired, everything
  }

  private var events: [Subject: (number: Int, event: Event)] = [:]
  /// The subjects in the order of their changes. An entry whose number is not that of the subject's change is outdated.
  private var order = FIFO<(subject: Subject, number: Int)>()
  private var lastNumber = 0

  init() {}

  @usableFromInline var isEmpty: Bool { events.isEmpty }
  var count: Int { events.count }

  /// Adds a change. Returns the changes that it replaces.
  @usableFromInline
  mutating func append(_ event: Event) -> [Event] {
    switch event.change {
    case .add(let key), .remove(let key): return replace(.value(key), by: event.following(self[key], of: key))
    case .removeInMemory(let key): return replace(.memory(key), by: event)
    case .removeExpired:
      // As changes of the keys, each of which can be replaced by a later one.
      var replaced = replace(.expired, by: Event(change: .removeExpired, keys: [:], lastID: event.lastID))
      for (key, change) in event.keys {
        replaced += replace(
          .value(key), by: Event(change: .remove(key: key), keys: [key: change], lastID: event.lastID))
      }
      return replaced
    case .removeAll:
      let replaced = events.values.map(\.event)
      self = MergedChanges()
      // Observers of a key whose last change is left out receive the removal, also if the key had no value by then.
      let keys = replaced.reduce(into: event.keys) { keys, earlier in
        keys.merge(earlier.keys.mapValues { _ in .remove }) { new, _ in new }
      }
      return replaced + replace(.everything, by: Event(change: .removeAll, keys: keys, lastID: event.lastID))
    }
  }

  /// Removes and returns the first change.
  @usableFromInline
  mutating func popFirst() -> Event? {
    while let (subject, number) = order.popFirst() {
      if events[subject]?.number == number { return events.removeValue(forKey: subject)?.event }
    }
    return nil
  }

  private subscript(key: Key) -> Event? { events[.value(key)]?.event }

  private mutating func replace(_ subject: Subject, by event: Event) -> [Event] {
    lastNumber += 1
    let replaced = events.updateValue((lastNumber, event), forKey: subject)
    order.append((subject, lastNumber))
    if order.count > 2 * events.count + 64 {
      // Outdated entries are dropped when they are the majority.
      var current = FIFO<(subject: Subject, number: Int)>()
      for entry in order.all where events[entry.subject]?.number == entry.number { current.append(entry) }
      order = current
    }
    return replaced.map { [$0.event] } ?? []
  }
}

extension ObserverList.Event {
  /// Returns this change of a key as the one change of it and of an earlier one: the value before is that before the
  /// earlier change.
  fileprivate func following(_ earlier: Self?, of key: Key) -> Self {
    guard case .edit(_, let after)? = keys[key], case .edit(let before, _)? = earlier?.keys[key] else {
      return self
    }
    return Self(change: change, keys: [key: .edit(before: before, after: after)], lastID: lastID)
  }
}
