/// What a read has found of a collection.
struct CollectionChange<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Whether `found` is all that has been read, in place of what was read before.
  var isAnew = false
  /// Values, in the order in which new keys are appended.
  var found: [(key: Key, value: Value)] = []
  var removed: Set<Key> = []
  var hasMore = true
}

/// Entries in order, found by their keys.
struct ElementList<Key: Hashable & Sendable, Value: Sendable> {
  typealias Element = StoredCollection<Key, Value>.Element

  private(set) var elements: [Element] = []
  private var places: [Key: Int] = [:]

  subscript(key: Key) -> Value? { places[key].map { elements[$0].value } }

  /// Returns whether a change makes a difference.
  func isChanged(by change: CollectionChange<Key, Value>) -> Bool {
    if change.isAnew, elements.map(\.key) != change.found.map(\.key) { return true }
    return change.removed.contains { places[$0] != nil }
      || change.found.contains { !areEqual(self[$0.key], $0.value) }
  }

  mutating func apply(_ change: CollectionChange<Key, Value>) {
    if change.isAnew { self = ElementList() }
    if !change.removed.isEmpty {
      elements.removeAll { change.removed.contains($0.key) }
      places = Dictionary(uniqueKeysWithValues: elements.enumerated().map { ($1.key, $0) })
    }
    for (key, value) in change.found {
      if let place = places[key] {
        elements[place].value = value
      } else {
        places[key] = elements.count
        elements.append(Element(key: key, value: value))
      }
    }
  }
}
