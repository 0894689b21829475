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
  /// other key is searched from the beginning, in time proportional to the size of the map. Of two equal keys the first
  /// one counts.
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

  /// Returns the offset of the value behind a key if the key at this offset is the requested one, or -1.
  @inline(__always)
  private func match(_ name: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let head = head(at: offset)
    guard head.major == MajorType.text, Int(truncatingIfNeeded: head.number) == name.count else { return -1 }
    guard let start = name.baseAddress else { return offset + head.size }
    return memcmp(start, base + offset + head.size, name.count) == 0 ? offset + head.size + name.count : -1
  }

  /// Returns the first key of a map, or of its keys before a limit, that `value` accepts.
  ///
  /// - Parameter value: returns the offset of the value that belongs to the key at an offset, or -1 for another key.
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
    // The pair after the found one is expected next, unless the cursor has already passed it.
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

  /// Returns all keys of a map that can be converted to a key type, each once.
  func keys<Key: CodingKey>(of map: CBORMap, as type: Key.Type) -> [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(map.count)
    // Comparing a few keys with each other is faster than creating a table.
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
      // The end of the last value is not needed, and finding it may take long.
      if place + 1 < map.count { at = CBORScan.end(of: value, in: base) }
    }
    return keys
  }

  /// Returns whether a name also occurs before a position.
  @inline(never)
  private func isEarlier(
    _ name: UnsafeBufferPointer<UInt8>, than offset: Int, in map: CBORMap
  ) -> Bool {
    firstKey(in: map, before: offset) { match(name, at: $0) } != nil
  }

  /// Returns whether a key, of any type, also occurs before its position.
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
  /// The offset of the map's first key.
  let start: Int
  let count: Int
  let depth: Int
}
