#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension CBORReader {
  /// The value of a key in a map, or -1.
  ///
  /// Types ask for their keys in the order in which they were written: the next key is compared first, and found at
  /// once. Another is looked for from the beginning, in time in proportion to the map, so that of two equal keys the
  /// first one counts.
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
      guard value >= 0, !cursor.pointee.hasSkipped || !isEarlier(name, than: cursor.pointee.next, in: map)
      else {
        return -1
      }
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

  /// The value behind a key, if it is this one, or -1.
  @inline(__always)
  private func match(_ name: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let head = head(at: offset)
    guard head.major == MajorType.text, Int(truncatingIfNeeded: head.number) == name.count else { return -1 }
    guard let start = name.baseAddress else { return offset + head.size }
    return memcmp(start, base + offset + head.size, name.count) == 0 ? offset + head.size + name.count : -1
  }

  /// The first key of a map, or of those before a limit, that `value` accepts.
  ///
  /// - Parameter value: the offset behind the key at an offset, where its value is, or -1 if it is not looked for.
  @inline(__always)
  private func firstKey(
    in map: CBORMap, before limit: Int = .max, _ value: (_ offset: Int) -> Int
  ) -> (place: Int, key: Int, value: Int)? {
    var at = map.start
    for place in 0..<map.count {
      if at >= limit { return nil }
      let found = value(at)
      if found >= 0 { return (place, at, found) }
      at = CBORScan.end(of: CBORScan.end(of: at, in: base), in: base)
    }
    return nil
  }

  @inline(never)
  private func search(
    _ name: String, _ number: Int?, in map: CBORMap, _ cursor: UnsafeMutablePointer<CBORCursor>
  ) -> Int {
    var name = name
    let found = name.withUTF8 { name in
      firstKey(in: map) { key in
        let value = match(name, at: key)
        guard value < 0, let number, isInteger(number, at: key) else { return value }
        return CBORScan.end(of: key, in: base)
      }
    }
    guard let found else { return -1 }
    cursor.pointee.key = found.key
    // What lies behind is expected next, unless it is behind us already.
    if found.key >= cursor.pointee.next {
      if found.key > cursor.pointee.next { cursor.pointee.hasSkipped = true }
      (cursor.pointee.taken, cursor.pointee.value) = (found.place + 1, found.value)
    }
    return found.value
  }

  private func isInteger(_ number: Int, at offset: Int) -> Bool {
    let head = head(at: offset)
    return head.major == MajorType.unsigned && Int(exactly: head.number) == number
      || head.major == MajorType.negative && Int(exactly: -1 - Int128(head.number)) == number
  }

  /// All keys of a map that can be keys of a type, each once.
  func keys<Key: CodingKey>(of map: CBORMap, as type: Key.Type) -> [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(map.count)
    // To compare a few keys with each other is faster than to make a table.
    var seen = map.count > 8 ? SeenKeys(count: map.count) : nil
    var at = map.start
    for place in 0..<map.count {
      let value = CBORScan.end(of: at, in: base)
      let bytes = UnsafeBufferPointer(start: base + at, count: value - at)
      if seen?.insert(bytes) ?? !isRepeated(bytes, at: at, in: map) {
        let name = key(at: at)
        if let key = name.intValue.flatMap({ Key(intValue: $0) }) ?? Key(stringValue: name.stringValue) {
          keys.append(key)
        }
      }
      // To pass over the last value may take long, and leads nowhere.
      if place + 1 < map.count { at = CBORScan.end(of: value, in: base) }
    }
    return keys
  }

  /// Whether a name stands before a place too.
  @inline(never)
  private func isEarlier(
    _ name: UnsafeBufferPointer<UInt8>, than offset: Int, in map: CBORMap
  ) -> Bool {
    firstKey(in: map, before: offset) { match(name, at: $0) } != nil
  }

  /// Whether a key, of any type, stands before its place too.
  private func isRepeated(_ key: UnsafeBufferPointer<UInt8>, at offset: Int, in map: CBORMap) -> Bool {
    firstKey(in: map, before: offset) { other in
      let value = CBORScan.end(of: other, in: base)
      let bytes = UnsafeBufferPointer(start: base + other, count: value - other)
      return bytes.count == key.count && bytes.elementsEqual(key) ? value : -1
    } != nil
  }
}

/// A map in the input.
struct CBORMap {
  /// The offset of its first key.
  let start: Int
  let count: Int
  let depth: Int
}
