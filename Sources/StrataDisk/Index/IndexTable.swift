/// A compact hash table of slots: no keys and no links, only 24 bytes per slot.
///
/// Slots are in the order of their hashes, each at its home position or as close behind it as possible. So a search
/// ends at the first greater hash, even in a nearly full table, and the table grows by one pass from front to back. It
/// grows by a quarter when seven eighths are used: 27 to 34 bytes per entry.
struct IndexTable: Sendable {
  private(set) var count = 0
  private var slots: [IndexSlot] = []
  /// The number of home positions. Slots behind the last one hold entries whose home is occupied.
  private var homes = 0

  /// The number of slots that memory is allocated for.
  var capacity: Int { slots.count }

  private static let margin = 16
  private static let fewestHomes = 16

  init() {}

  /// Creates a table from the slots of a log's records, in their order. Slots of removals are marked. Calls `body` with
  /// the slots that others have replaced or removed.
  ///
  /// The table takes over the memory of the slots if it is as much as it needs.
  init(_ log: consuming [IndexSlot], _ body: (IndexSlot) -> Void) {
    let sorted = SlotSorter.sort(log, body)
    homes = Self.homes(for: sorted.count)
    let room = Self.room(for: sorted.count)
    if log.capacity >= room, log.capacity <= room + room / 8 {
      slots = consume log
      slots.removeAll(keepingCapacity: true)
    }
    slots.append(contentsOf: repeatElement(.empty, count: room))
    if !refill(sorted, { _ in true }) {
      rebuild(from: sorted, homes: homes, room: room + room / 8) { _ in true }
    }
  }

  private static func homes(for count: Int) -> Int { max(fewestHomes, count + count / 5) }

  /// Returns the number of slots that a table for a number of entries allocates: 29 bytes for each entry.
  static func room(for count: Int) -> Int { homes(for: count) + margin }

  /// Returns the position of a key's slot, or `nil`.
  func find(_ key: Fingerprint) -> Int? {
    let (place, isFound) = search(key)
    return isFound ? place : nil
  }

  /// Returns the position of a key's slot, or the position where it would be inserted.
  @inline(__always)
  private func search(_ key: Fingerprint) -> (place: Int, isFound: Bool) {
    if homes == 0 { return (0, false) }
    var place = home(of: key.hash)
    while slots[place].location != .none, slots[place].hash <= key.hash {
      if slots[place].hash == key.hash, slots[place].tag == key.tag { return (place, true) }
      place += 1
    }
    return (place, false)
  }

  subscript(place: Int) -> IndexSlot {
    get { slots[place] }
    set { slots[place] = newValue }
  }

  /// Inserts a slot, and returns the one that it replaces. To make room, it may drop slots that are not `worthKeeping`.
  mutating func insert(_ slot: IndexSlot, worthKeeping: (IndexSlot) -> Bool) -> IndexSlot? {
    var (place, isFound) = search(slot.key)
    if isFound {
      defer { slots[place] = slot }
      return slots[place]
    }
    if (count + 1) * 8 > homes * 7 {
      grow(worthKeeping)
      place = search(slot.key).place
    }
    while !add(slot, at: place) {
      rebuild(from: slots, homes: homes, room: slots.count + slots.count / 8, worthKeeping)
      place = search(slot.key).place
    }
    return nil
  }

  /// Frees memory if the table is far too large for its slots.
  private mutating func shrink() {
    if homes > Self.fewestHomes, count * 8 < homes * 5 {
      rebuild(from: slots, homes: Self.homes(for: count), room: Self.room(for: count)) { _ in true }
    }
  }

  /// Removes a key, and returns its slot.
  mutating func remove(_ key: Fingerprint) -> IndexSlot? {
    guard let place = find(key) else { return nil }
    let slot = slots[place]
    remove(at: place)
    return slot
  }

  /// Removes the slots that are not worth keeping.
  mutating func drop(unless worthKeeping: (IndexSlot) -> Bool) {
    rebuild(from: slots, homes: homes, room: slots.count, worthKeeping)
    shrink()
  }

  func forEach(_ body: (IndexSlot) -> Void) {
    for slot in slots where slot.location != .none { body(slot) }
  }

  /// Returns at most `limit` slots with the lowest hashes after `hash`, in their order.
  func slots(after hash: UInt64?, atMost limit: Int) -> [IndexSlot] {
    if homes == 0 || limit <= 0 { return [] }
    var found: [IndexSlot] = []
    found.reserveCapacity(min(limit, count))
    var place = hash.map(home) ?? 0
    while place < slots.count, found.count < limit {
      let slot = slots[place]
      if slot.location != .none, hash.map({ slot.hash > $0 }) ?? true { found.append(slot) }
      place += 1
    }
    return found
  }

  private func home(of hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(homes)).high) }

  /// Inserts a slot at the position that `search` has returned; `false` if there is no room behind the last home.
  private mutating func add(_ slot: IndexSlot, at place: Int) -> Bool {
    var end = place
    while slots[end].location != .none { end += 1 }
    // The last slot stays empty, so that every search ends there.
    if end == slots.count - 1 { return false }
    while end > place {
      slots[end] = slots[end - 1]
      end -= 1
    }
    slots[place] = slot
    count += 1
    return true
  }

  private mutating func remove(at start: Int) {
    var place = start
    while slots[place + 1].location != .none, home(of: slots[place + 1].hash) <= place {
      slots[place] = slots[place + 1]
      place += 1
    }
    slots[place] = .empty
    count -= 1
  }

  private mutating func grow(_ worthKeeping: (IndexSlot) -> Bool) {
    let kept = slots.count { $0.location != .none && worthKeeping($0) }
    // If many slots are dropped, there is enough room without growing.
    let homes = (kept + 1) * 8 > homes * 6 ? max(Self.fewestHomes, homes + homes / 4) : homes
    rebuild(from: slots, homes: homes, room: homes + Self.margin, worthKeeping)
  }

  private mutating func rebuild(
    from old: [IndexSlot], homes: Int, room: Int, _ worthKeeping: (IndexSlot) -> Bool
  ) {
    self.homes = homes
    var room = room
    repeat {
      slots = [IndexSlot](repeating: .empty, count: room)
      count = 0
      room += room / 8
    } while !refill(old, worthKeeping)
  }

  /// Inserts slots in the order of their hashes; `false` if there is no room behind the last home.
  private mutating func refill(_ old: [IndexSlot], _ worthKeeping: (IndexSlot) -> Bool) -> Bool {
    var next = 0
    for slot in old where slot.location != .none && worthKeeping(slot) {
      let place = max(next, home(of: slot.hash))
      if place >= slots.count - 1 { return false }
      slots[place] = slot
      next = place + 1
      count += 1
    }
    return true
  }
}
