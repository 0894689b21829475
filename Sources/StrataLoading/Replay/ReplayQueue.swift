import StrataCore

/// The pending writes in order: the rules of `ReplayingStorage` without clocks, tasks and locks.
///
/// Only the newest write of each key is kept, at its own position. A removal of everything replaces all writes before
/// it.
struct ReplayQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A pending write.
  enum Write: Sendable {
    /// Without an expiry the store's own applies. `ifAbsent`: a value that the store has by then stays.
    case set(Value, Expiry?, ifAbsent: Bool = false)
    case remove
  }

  /// An operation: its number, and the write, or `nil` for a removal of everything.
  typealias Next = (number: Int, change: (key: Key, write: Write)?)

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

  /// Returns the pending write of a key.
  func write(of key: Key) -> Write? { writes[key]?.write }

  /// Returns a key's entry after the pending writes; `nil` if the store must be read. A value without an expiry has
  /// `ownExpiry`.
  func entry(of key: Key, _ ownExpiry: Expiry = .never) -> Entry<Value>?? {
    switch write(of: key) {
    case .set(let value, let expiry, _): .some(Entry(object: value, expiry: expiry ?? ownExpiry))
    case .remove: .some(nil)
    case nil: isClearing ? .some(nil) : nil
    }
  }

  /// Returns whether the store may have a value of a key when its pending writes are executed.
  func isUnknown(_ key: Key) -> Bool {
    switch write(of: key) {
    case .set(_, _, let ifAbsent): ifAbsent
    case .remove: false
    case nil: !isClearing
    }
  }

  /// Returns whether the pending writes leave a value of a key that has not expired; `nil` if the store must be read.
  func isListed(_ key: Key, by clock: StorageClock) -> Bool? {
    entry(of: key).map { $0.isLive(by: clock) }
  }

  /// Whether a removal of everything is pending.
  var isClearing: Bool { clearing != nil }
  /// All keys with pending writes.
  var keys: some Sequence<Key> { writes.keys }

  /// Adds a write; returns `false` without adding it if the limit is reached.
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

  /// Returns the next operation, which stays until `done`.
  mutating func next() -> Next? {
    if let clearing { return (clearing, nil) }
    while let first = order.first {
      if let newest = writes[first.key], newest.number == first.number {
        return (first.number, (first.key, newest.write))
      }
      _ = order.popFirst()
    }
    return nil
  }

  /// Removes a completed operation. A newer write added meanwhile stays.
  mutating func done(_ next: Next) {
    guard let change = next.change else {
      if clearing == next.number { clearing = nil }
      return
    }
    if writes[change.key]?.number == next.number { writes[change.key] = nil }
  }

  /// Compacts the positions when more than half belong to replaced writes.
  private mutating func tidyUp() {
    guard order.count > 2 * writes.count + 16 else { return }
    var current = FIFO<(number: Int, key: Key)>()
    while let place = order.popFirst() {
      if writes[place.key]?.number == place.number { current.append(place) }
    }
    order = current
  }
}
