import StrataCore

/// The writes that a store could not take, in order: the rules of `ReplayingStorage` without clocks, tasks and locks.
///
/// Of a key there is the newest write alone, in the place of the newest. A removal of everything takes the place of all
/// that came before it.
struct ReplayQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A write that waits.
  enum Write: Sendable {
    /// Without an expiry the store's own applies.
    case set(Value, Expiry?)
    case remove
  }

  /// What is to be done next.
  struct Next: Sendable {
    let number: Int
    /// `nil`: everything is to be removed.
    let change: (key: Key, write: Write)?
  }

  private let limit: Int
  private var last = 0
  private var writes: [Key: (number: Int, write: Write)] = [:]
  /// The keys by the numbers of their newest writes.
  private var order = FIFO<(number: Int, key: Key)>()
  /// The number of the removal of everything, which comes before all writes.
  private var clearing: Int?

  init(limit: Int) { self.limit = max(limit, 1) }

  var isEmpty: Bool { writes.isEmpty && clearing == nil }
  var count: Int { writes.count + (clearing == nil ? 0 : 1) }

  /// The write of a key that waits.
  func write(of key: Key) -> Write? { writes[key]?.write }
  /// Whether what the store has of other keys is to be removed.
  var isClearing: Bool { clearing != nil }
  /// All keys with writes that wait.
  var keys: some Sequence<Key> { writes.keys }

  /// Adds a write; returns `false`, and adds nothing, if there are too many.
  mutating func add(_ write: Write, forKey key: Key) -> Bool {
    if writes[key] == nil, count >= limit { return false }
    last += 1
    writes[key] = (last, write)
    order.append((last, key))
    tidyUp()
    return true
  }

  /// Adds a removal of everything.
  mutating func removeAll() {
    last += 1
    writes = [:]
    order = FIFO()
    clearing = last
  }

  /// What is to be done next; it stays until `done`.
  mutating func next() -> Next? {
    if let clearing { return Next(number: clearing, change: nil) }
    while let first = order.first {
      if let newest = writes[first.key], newest.number == first.number {
        return Next(number: first.number, change: (first.key, newest.write))
      }
      _ = order.popFirst()
    }
    return nil
  }

  /// Tells that something has been done. A newer write that came meanwhile stays.
  mutating func done(_ next: Next) {
    guard let change = next.change else {
      if clearing == next.number { clearing = nil }
      return
    }
    if writes[change.key]?.number == next.number { writes[change.key] = nil }
  }

  /// Forgets the places of writes that newer ones have replaced, when they are more than half.
  private mutating func tidyUp() {
    guard order.count > 2 * writes.count + 16 else { return }
    var current = FIFO<(number: Int, key: Key)>()
    while let place = order.popFirst() {
      if writes[place.key]?.number == place.number { current.append(place) }
    }
    order = current
  }
}
