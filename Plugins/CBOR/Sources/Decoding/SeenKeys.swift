/// The keys of a large map that have been seen: an open-addressing table of their offsets, several times faster than a
/// set of strings.
///
/// The hash is seeded, so an attacker cannot choose keys that collide.
struct SeenKeys {
  private var places: [UnsafeBufferPointer<UInt8>?]
  private let mask: Int

  init(count: Int) {
    var capacity = 16
    while capacity < count * 2 { capacity *= 2 }
    places = Array(repeating: nil, count: capacity)
    mask = capacity - 1
  }

  /// Inserts a key, and returns whether it is new. The table must not get more keys than it was created for.
  mutating func insert(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    var place = hasher.finalize() & mask
    while let other = places[place] {
      if other.count == key.count, other.elementsEqual(key) { return false }
      place = (place + 1) & mask
    }
    places[place] = key
    return true
  }
}
