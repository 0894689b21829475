/// An observer of one kind of change.
@usableFromInline
struct Observer<Change>: Sendable {
  @usableFromInline let id: Int
  /// Calls the observer. Returns whether its object still exists.
  @usableFromInline let tell: @Sendable (Change) -> Bool
  /// Returns whether the observer's object still exists.
  let isThere: @Sendable () -> Bool
  /// Whether the library has added the observer: a user who removes all observers means those of users.
  var isOwn = false
}

/// Observers in the order of their registration. Adding and removing are O(1).
@usableFromInline
struct ObserverSet<Change>: Sendable {
  @usableFromInline var byID: [Int: Observer<Change>] = [:]
  /// All observers in order, or `nil` after one was removed.
  @usableFromInline var inOrder: [Observer<Change>]? = []

  init() {}

  @inlinable
  var isEmpty: Bool { byID.isEmpty }
  var count: Int { byID.count }
  var all: Dictionary<Int, Observer<Change>>.Values { byID.values }

  mutating func add(_ observer: Observer<Change>) {
    byID[observer.id] = observer
    inOrder?.append(observer)
  }

  /// Removes and returns an observer. The caller releases it, since its closure may hold the last reference to a user's
  /// object.
  mutating func remove(_ id: Int) -> Observer<Change>? {
    inOrder = nil
    return byID.removeValue(forKey: id)
  }

  /// Removes and returns the observers of users. The caller releases them.
  mutating func removeUsers() -> [Observer<Change>] {
    inOrder = nil
    let removed = byID.values.filter { !$0.isOwn }
    for observer in removed { byID[observer.id] = nil }
    return removed
  }

  /// Returns the observers with an ID of at most `lastID`, in order.
  @inlinable
  mutating func upTo(_ lastID: Int) -> [Observer<Change>] {
    let all = inOrder ?? byID.values.sorted { $0.id < $1.id }
    inOrder = all
    guard let last = all.last, last.id > lastID else { return all }
    return Array(all.prefix { $0.id <= lastID })
  }
}
