import StrataCore
import StrataLoading

/// What the next read of a collection has to do.
struct CollectionWork<Key: Hashable & Sendable>: Sendable {
  /// The number of further pages to read.
  var pages = 0
  /// Whether to read all pages again.
  var isAnew = false
  /// How the store is read.
  var how: How = []
  /// The keys that may have changed.
  var keys: Set<Key> = []

  mutating func add(_ change: StorageChange<Key>?) {
    switch change {
    case .add(let key), .remove(let key): keys.insert(key)
    case .removeInMemory: break
    case .removeAll, .removeExpired, nil: isAnew = true
    }
  }

  mutating func take() -> CollectionWork {
    defer { self = CollectionWork() }
    return self
  }

  /// Adds work that has failed.
  mutating func putBack(_ failed: CollectionWork) {
    pages += failed.pages
    isAnew = isAnew || failed.isAnew
    how.formUnion(failed.how)
    keys.formUnion(failed.keys)
  }
}

/// The work that waits for the reader of a collection. Any thread may add to it.
final class CollectionInbox<Key: Hashable & Sendable>: Sendable {
  let work = Locked(CollectionWork<Key>(pages: 1))
}

/// Reads the pages of a store, and the keys that have changed. Used by one task.
struct CollectionReader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let store: any StorageAware<Key, Value>
  private let pageSize: Int
  /// The keys that have been read.
  private var known: Set<Key> = []
  /// The keys that have changed and have not been read: if no page contains them, they follow the last one.
  private var later: Set<Key> = []
  private var next: KeyCursor?
  private var isAtEnd = false
  private var how: How = []

  init(_ store: any StorageAware<Key, Value>, pageSize: Int) {
    self.store = store
    self.pageSize = max(1, pageSize)
  }

  /// Whether other machines change the store.
  var isShared: Bool { store.invalidationSource != nil }

  /// Reads what the work asks for. After an error nothing is known to be read that was not known before.
  mutating func read(_ work: CollectionWork<Key>) async throws -> CollectionChange<Key, Value> {
    var reader = self
    reader.how = work.how
    var change = CollectionChange<Key, Value>(isAnew: work.isAnew)
    if work.isAnew {
      (reader.known, reader.later, reader.next, reader.isAtEnd) = ([], [], nil, false)
      while !reader.isAtEnd, isAtEnd || reader.known.count < max(known.count, 1) {
        try await reader.readPage(&change)
      }
    } else {
      try await reader.look(at: work.keys, &change)
    }
    for _ in 0..<work.pages where !reader.isAtEnd { try await reader.readPage(&change) }
    change.hasMore = !reader.isAtEnd
    self = reader
    return change
  }

  /// Reads a page that has a new entry, if there is one.
  private mutating func readPage(_ change: inout CollectionChange<Key, Value>) async throws {
    let before = known.count
    repeat {
      let page = try await store.keyPage(after: next, limit: pageSize)
      try await append(page.keys, &change)
      next = page.next
      isAtEnd = page.next == nil
    } while known.count == before && !isAtEnd
    if isAtEnd { try await append(Array(later), &change) }
  }

  private mutating func append(_ keys: [Key], _ change: inout CollectionChange<Key, Value>) async throws {
    let new = keys.filter { !known.contains($0) }
    let values = try await values(of: new)
    for key in new {
      later.remove(key)
      guard let value = values[key], known.insert(key).inserted else { continue }
      change.found.append((key, value))
    }
  }

  private mutating func look(
    at keys: Set<Key>, _ change: inout CollectionChange<Key, Value>
  ) async throws {
    if !isAtEnd { later.formUnion(keys.subtracting(known)) }
    let looked = isAtEnd ? Array(keys) : keys.filter(known.contains)
    let values = try await values(of: looked)
    for key in looked {
      if let value = values[key] {
        known.insert(key)
        change.found.append((key, value))
      } else if known.remove(key) != nil {
        change.removed.insert(key)
      }
    }
  }

  /// Returns the stored values that have not expired.
  private func values(of keys: [Key]) async throws -> [Key: Value] {
    if keys.isEmpty { return [:] }
    if let loading = store as? LoadingStorage<Key, Value> {
      var values: [Key: Value] = [:]
      for key in keys { values[key] = try await loading.storedValue(forKey: key, how)?.value }
      return values
    }
    let clock = store.clock
    return try await store.read(keys, how).compactMapValues {
      $0.expiry.isExpired(by: clock) ? nil : $0.object
    }
  }
}
