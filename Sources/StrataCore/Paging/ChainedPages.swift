/// A position in the keys of two stores, which are listed one after the other.
package enum ChainedPosition: Sendable {
  case first(KeyCursor?)
  case second(KeyCursor?)

  /// Creates the position of a cursor, or the first one.
  package init(_ cursor: KeyCursor?) throws { self = try cursor?.position() ?? .first(nil) }

  /// Returns a page that was read at this position, with a cursor that says in which store it was read.
  package func page<Key>(_ read: KeyPage<Key>) -> KeyPage<Key> {
    let next: ChainedPosition? =
      switch self {
      case .first: read.next.map { .first($0) } ?? .second(nil)
      case .second: read.next.map { .second($0) }
      }
    return KeyPage(keys: read.keys, next: next.map { KeyCursor($0) })
  }

  /// Returns a page of the first store that the second store does not continue.
  package func lastPage<Key>(_ read: KeyPage<Key>) -> KeyPage<Key> {
    KeyPage(keys: read.keys, next: read.next.map { KeyCursor(Self.first($0)) })
  }
}

extension StorageAware {
  /// Returns the keys of those entries that are stored and have not expired. Up to 16 keys are looked up at a time,
  /// unless a lookup blocks.
  package func stored(_ keys: [Key]) async throws -> Set<Key> {
    if mayBlock {
      var found: Set<Key> = []
      for key in keys where try await objectExists(forKey: key) { found.insert(key) }
      return found
    }
    return try await withThrowingTaskGroup(of: (Key, Bool).self) { group in
      var rest = keys[...]
      var found: Set<Key> = []
      for key in rest.prefix(16) { group.addTask { (key, try await self.objectExists(forKey: key)) } }
      rest = rest.dropFirst(16)
      while let (key, exists) = try await group.next() {
        if exists { found.insert(key) }
        if let key = rest.popFirst() { group.addTask { (key, try await self.objectExists(forKey: key)) } }
      }
      return found
    }
  }
}

extension SyncStorageAware {
  /// Returns the keys of those entries that are stored and have not expired.
  package func stored(_ keys: [Key]) throws -> Set<Key> {
    try Set(keys.filter { try objectExists(forKey: $0) })
  }
}
