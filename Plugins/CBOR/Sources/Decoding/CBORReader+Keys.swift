#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension CBORReader {
  /// Returns the offset of a key's value in a map, or -1 if the map lacks the key.
  ///
  /// Types usually request their keys in the order in which they were written, so the next key is compared first. Any
  /// other key is searched behind it, then before it if it may be there. Of two equal keys the first one counts.
  @inline(__always)
  func value(of key: some CodingKey, in map: CBORMap) -> Int {
    let cursor = cursor(map.depth, of: map.start)
    if cursor.pointee.value >= 0 {
      cursor.pointee.next = end(of: untagged(cursor.pointee.value), depth: map.depth + 1)
      cursor.pointee.value = -1
    }
    var name = key.stringValue
    let found = name.withUTF8 { name -> Int in
      guard cursor.pointee.taken < map.count else { return -1 }
      let value = match(name, at: cursor.pointee.next)
      guard value >= 0, !cursor.pointee.hasSkipped || !cursor.pointee.passed.contains(name) else { return -1 }
      cursor.pointee.passed.insert(name)
      return value
    }
    if found >= 0 {
      cursor.pointee.key = cursor.pointee.next
      cursor.pointee.taken += 1
      cursor.pointee.value = found
      return found
    }
    return search(name, key.intValue, in: map, cursor)
  }

  /// Returns the offset of the value behind a key if the key at this offset is the requested one, or -1.
  @inline(__always)
  private func match(_ name: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let head = head(at: offset)
    guard head.major == MajorType.text, Int(truncatingIfNeeded: head.number) == name.count else { return -1 }
    guard let start = name.baseAddress else { return offset + head.size }
    return memcmp(start, base + offset + head.size, name.count) == 0 ? offset + head.size + name.count : -1
  }

  /// Returns the first of a number of keys that `value` accepts.
  ///
  /// - Parameter value: returns the offset of the value that belongs to the key at an offset, or -1 for another key.
  @inline(__always)
  private func firstKey(
    of count: Int, at start: Int, _ value: (_ offset: Int) -> Int
  ) -> (place: Int, key: Int, value: Int)? {
    var at = start
    for place in 0..<count {
      let found = value(at)
      if found >= 0 { return (place, at, found) }
      // The end of the last value is not needed, and finding it may take long.
      if place + 1 < count { at = CBORScan.end(of: CBORScan.end(of: at, in: base), in: base) }
    }
    return nil
  }

  @inline(never)
  private func search(
    _ name: String, _ number: Int?, in map: CBORMap, _ cursor: UnsafeMutablePointer<CBORCursor>
  ) -> Int {
    var name = name
    return name.withUTF8 { name in
      let (taken, next) = (cursor.pointee.taken, cursor.pointee.next)
      let isNext =
        number != nil && !cursor.pointee.hasSkipped && taken < map.count
        && value(ifKeyAt: next, is: name, number) >= 0
      if !isNext, number != nil || cursor.pointee.passed.contains(name),
        let found = firstKey(of: taken, at: map.start, { value(ifKeyAt: $0, is: name, number) })
      {
        cursor.pointee.key = found.key
        return found.value
      }
      var skipped = CBORKeySet()
      let found = firstKey(of: map.count - taken, at: next) { key in
        let value = value(ifKeyAt: key, is: name, number)
        skipped.insert(self.name(ofKeyAt: key))
        return value
      }
      guard let found else { return -1 }
      cursor.pointee.key = found.key
      // The pair after the found one is expected next.
      if found.place > 0 { cursor.pointee.hasSkipped = true }
      cursor.pointee.passed.formUnion(skipped)
      (cursor.pointee.taken, cursor.pointee.value) = (taken + found.place + 1, found.value)
      return found.value
    }
  }

  /// Returns the offset of the value behind a key if the key is a text or a number.
  @inline(__always)
  private func value(ifKeyAt offset: Int, is name: UnsafeBufferPointer<UInt8>, _ number: Int?) -> Int {
    let value = match(name, at: offset)
    guard value < 0, let number, isInteger(number, at: offset) else { return value }
    return CBORScan.end(of: offset, in: base)
  }

  /// Returns the bytes of a key that is a text.
  @inline(__always)
  private func name(ofKeyAt offset: Int) -> UnsafeBufferPointer<UInt8> {
    let head = head(at: offset)
    let count = head.major == MajorType.text ? Int(truncatingIfNeeded: head.number) : 0
    return UnsafeBufferPointer(start: base + offset + head.size, count: count)
  }

  private func isInteger(_ number: Int, at offset: Int) -> Bool {
    let head = head(at: offset)
    return head.major == MajorType.unsigned && Int(exactly: head.number) == number
      || head.major == MajorType.negative && Int(exactly: -1 - Int128(head.number)) == number
  }

  /// Returns all keys of a map that can be converted to a key type, each once.
  func keys<Key: CodingKey>(of map: CBORMap, as type: Key.Type) -> [Key] {
    // Comparing a few keys with each other is faster than creating a table.
    var seen = map.count > 8 ? SeenKeys(count: map.count) : nil
    var at = map.start
    return Array(unsafeUninitializedCapacity: map.count) { keys, count in
      for place in 0..<map.count {
        let value = CBORScan.end(of: at, in: base)
        let bytes = UnsafeBufferPointer(start: base + at, count: value - at)
        if seen?.insert(bytes) ?? !isRepeated(bytes, among: place, in: map) {
          let name = key(at: at)
          if let key = name.intValue.flatMap({ Key(intValue: $0) }) ?? Key(stringValue: name.stringValue) {
            keys.initializeElement(at: count, to: key)
            count += 1
          }
        }
        // The end of the last value is not needed, and finding it may take long.
        if place + 1 < map.count { at = CBORScan.end(of: value, in: base) }
      }
    }
  }

  /// Returns whether a key, of any type, is also one of the first `count` keys of its map.
  private func isRepeated(_ key: UnsafeBufferPointer<UInt8>, among count: Int, in map: CBORMap) -> Bool {
    firstKey(of: count, at: map.start) { other in
      let value = CBORScan.end(of: other, in: base)
      let bytes = UnsafeBufferPointer(start: base + other, count: value - other)
      return bytes.count == key.count && bytes.elementsEqual(key) ? value : -1
    } != nil
  }
}

/// A set of texts that may contain more than was inserted, in one word.
struct CBORKeySet {
  private var bits: UInt64 = 0

  static let all = CBORKeySet(bits: .max)

  init() {}
  private init(bits: UInt64) { self.bits = bits }

  @inline(__always)
  mutating func insert(_ name: UnsafeBufferPointer<UInt8>) { bits |= Self.bit(of: name) }

  @inline(__always)
  mutating func formUnion(_ other: CBORKeySet) { bits |= other.bits }

  @inline(__always)
  func contains(_ name: UnsafeBufferPointer<UInt8>) -> Bool { bits & Self.bit(of: name) != 0 }

  @inline(__always)
  private static func bit(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = name.baseAddress, name.count > 0 else { return 1 }
    let ends = UInt64(start[0]) &+ UInt64(start[name.count &- 1]) &* 7
    return 1 &<< (ends &+ UInt64(truncatingIfNeeded: name.count))
  }
}

/// A map in the input.
struct CBORMap {
  /// The offset of the map's first key.
  let start: Int
  let count: Int
  let depth: Int
}
