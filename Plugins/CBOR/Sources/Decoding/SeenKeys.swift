/// The keys of a large map that have been seen: an open table of their places, which takes a fraction of what a set of
/// strings does.
///
/// The hash is seeded, so nobody can choose keys that fill one part of the table.
struct SeenKeys {
  private var places: [UnsafeBufferPointer<UInt8>?]
  private let mask: Int

  init(count: Int) {
    var capacity = 16
    while capacity < count * 2 { capacity *= 2 }
    places = Array(repeating: nil, count: capacity)
    mask = capacity - 1
  }

  /// Returns whether a key is new. There must be no more keys than the table was made for.
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
