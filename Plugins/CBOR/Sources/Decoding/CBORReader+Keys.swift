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
      guard value >= 0, !cursor.pointee.hasSkipped || first(name, before: cursor.pointee.next, in: map) < 0
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

  /// The offset of the first key of this name before another, or -1.
  private func first(_ name: UnsafeBufferPointer<UInt8>, before limit: Int, in map: CBORMap) -> Int {
    var at = map.start
    while at < limit {
      if match(name, at: at) >= 0 { return at }
      at = CBORScan.end(of: CBORScan.end(of: at, in: base), in: base)
    }
    return -1
  }

  @inline(never)
  private func search(
    _ name: String, _ number: Int?, in map: CBORMap, _ cursor: UnsafeMutablePointer<CBORCursor>
  ) -> Int {
    var name = name
    return name.withUTF8 { name in
      var at = map.start
      for place in 0..<map.count {
        var value = match(name, at: at)
        let end = value >= 0 ? value : CBORScan.end(of: at, in: base)
        if value < 0, let number, isInteger(number, at: at) { value = end }
        if value >= 0 {
          cursor.pointee.key = at
          // What lies behind is expected next, unless it is behind us already.
          if at >= cursor.pointee.next {
            if at > cursor.pointee.next { cursor.pointee.hasSkipped = true }
            (cursor.pointee.taken, cursor.pointee.value) = (place + 1, value)
          }
          return value
        }
        at = CBORScan.end(of: end, in: base)
      }
      return -1
    }
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

  /// Whether a key stands before its place too.
  private func isRepeated(_ key: UnsafeBufferPointer<UInt8>, at offset: Int, in map: CBORMap) -> Bool {
    var at = map.start
    while at < offset {
      let value = CBORScan.end(of: at, in: base)
      if value - at == key.count, key.elementsEqual(UnsafeBufferPointer(start: base + at, count: key.count)) {
        return true
      }
      at = CBORScan.end(of: value, in: base)
    }
    return false
  }
}

/// A map in the input.
struct CBORMap {
  /// The offset of its first key.
  let start: Int
  let count: Int
  let depth: Int
}
