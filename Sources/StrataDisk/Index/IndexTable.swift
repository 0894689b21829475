/// A hash table of slots, as compact as it can be: neither keys nor links, only 24 bytes a slot.
///
/// Slots lie in the order of their hashes, each at its home or as near behind it as there was room. So a search ends at
/// the first greater hash, also in a table that is nearly full, and the table grows by one pass from front to back. It
/// grows by a quarter when seven eighths are taken: 27 to 34 bytes an entry.
struct IndexTable: Sendable {
  private(set) var count = 0
  private var slots: [IndexSlot] = []
  /// The number of homes. Behind the last there is room for those that find theirs taken.
  private var homes = 0

  /// How many slots there is memory for.
  var capacity: Int { slots.count }

  private static let margin = 16

  /// The place of a key, if it is there.
  func find(_ key: Fingerprint) -> Int? {
    if homes == 0 { return nil }
    var place = home(of: key.hash)
    while slots[place].location != .none, slots[place].hash <= key.hash {
      if slots[place].hash == key.hash, slots[place].tag == key.tag { return place }
      place += 1
    }
    return nil
  }

  subscript(place: Int) -> IndexSlot {
    get { slots[place] }
    set { slots[place] = newValue }
  }

  /// Puts in a slot, and returns the one that it replaces. To make room, it may drop those that are not `worthKeeping`.
  mutating func insert(_ slot: IndexSlot, worthKeeping: (IndexSlot) -> Bool) -> IndexSlot? {
    if let place = find(slot.key) {
      defer { slots[place] = slot }
      return slots[place]
    }
    if (count + 1) * 8 > homes * 7 { grow(worthKeeping) }
    while !add(slot) { rebuild(homes: homes, room: slots.count + slots.count / 8, worthKeeping) }
    return nil
  }

  /// Takes out a key, and returns its slot.
  mutating func remove(_ key: Fingerprint) -> IndexSlot? {
    guard let place = find(key) else { return nil }
    let slot = slots[place]
    remove(at: place)
    return slot
  }

  /// Takes out what is not worth keeping.
  mutating func drop(unless worthKeeping: (IndexSlot) -> Bool) {
    rebuild(homes: homes, room: slots.count, worthKeeping)
  }

  func forEach(_ body: (IndexSlot) -> Void) {
    for slot in slots where slot.location != .none { body(slot) }
  }

  private func home(of hash: UInt64) -> Int { Int(hash.multipliedFullWidth(by: UInt64(homes)).high) }

  /// Puts in a slot whose key is not there; `false` if there is no room behind the last home.
  private mutating func add(_ slot: IndexSlot) -> Bool {
    var place = home(of: slot.hash)
    while slots[place].location != .none, slots[place].hash <= slot.hash { place += 1 }
    var end = place
    while slots[end].location != .none { end += 1 }
    // The last slot stays empty: every search ends there.
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
    // If many are dropped, there is room enough without growing.
    let homes = (kept + 1) * 8 > homes * 6 ? max(16, homes + homes / 4) : homes
    rebuild(homes: homes, room: homes + Self.margin, worthKeeping)
  }

  private mutating func rebuild(homes: Int, room: Int, _ worthKeeping: (IndexSlot) -> Bool) {
    let old = slots
    self.homes = homes
    var room = room
    repeat {
      slots = [IndexSlot](repeating: .empty, count: room)
      count = 0
      room += room / 8
    } while !refill(old, worthKeeping)
  }

  /// Puts in slots that come in the order of their hashes; `false` if there is no room behind the last home.
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
