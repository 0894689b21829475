/// Somebody who wants to know of changes of one kind.
@usableFromInline
struct Observer<Change>: Sendable {
  @usableFromInline let id: Int
  /// Returns whether the observer is still there.
  @usableFromInline let tell: @Sendable (Change) -> Bool
  /// Whether the observer is still there.
  let isThere: @Sendable () -> Bool
}

/// Observers in the order in which they came. To add one, or to take one out, costs the same however many there are.
@usableFromInline
struct ObserverSet<Change>: Sendable {
  @usableFromInline var byID: [Int: Observer<Change>] = [:]
  /// All of them in order, unless one was taken out since.
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

  /// Takes one out, and returns it: to end it may be to end what a user's closure holds.
  mutating func remove(_ id: Int) -> Observer<Change>? {
    inOrder = nil
    return byID.removeValue(forKey: id)
  }

  /// Those that came no later than the one with this number, in order.
  @inlinable
  mutating func upTo(_ lastID: Int) -> [Observer<Change>] {
    let all = inOrder ?? byID.values.sorted { $0.id < $1.id }
    inOrder = all
    guard let last = all.last, last.id > lastID else { return all }
    return Array(all.prefix { $0.id <= lastID })
  }
}
