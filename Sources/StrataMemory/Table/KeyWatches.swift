import Synchronization

/// The identity of an update or a load that watches a key.
@usableFromInline
struct KeyWatch: Hashable, Sendable {
  private let number: Int
  private static let last = Atomic(0)

  init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}

/// The watches of a table's keys. A change of a key ends all its watches: the values that their owners have read are
/// outdated. The removal of an expired entry does not count as a change.
@usableFromInline
struct KeyWatches<Key: Hashable & Sendable>: Sendable {
  @usableFromInline var watches: [Key: [KeyWatch]] = [:]

  @usableFromInline
  init() {}

  /// Whether no key is watched.
  @inlinable var isEmpty: Bool { watches.isEmpty }

  /// Begins to watch a key.
  mutating func add(_ watch: KeyWatch, of key: Key) { watches[key, default: []].append(watch) }

  /// Returns whether a key has not changed since it was watched.
  @usableFromInline
  func contains(_ watch: KeyWatch, of key: Key) -> Bool { watches[key]?.contains(watch) ?? false }

  /// Stops watching a key.
  mutating func remove(_ watch: KeyWatch, of key: Key) {
    watches[key]?.removeAll { $0 == watch }
    if watches[key]?.isEmpty == true { watches[key] = nil }
  }

  /// Ends all watches of a key. Returns whether there were others than the watch of the caller that changes the key.
  mutating func end(of key: Key, by watch: KeyWatch?) -> Bool {
    watches.removeValue(forKey: key)?.contains { $0 != watch } ?? false
  }
}
