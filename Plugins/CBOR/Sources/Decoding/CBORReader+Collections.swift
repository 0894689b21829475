/// Reads arrays and dictionaries in one loop, without a container of `Codable`.
extension CBORReader {
  /// Returns the elements of an array.
  @inline(__always)
  func array<Element>(at place: CBORPlace, _ element: (CBORPlace) throws -> Element) throws -> [Element] {
    let offset = untagged(place.offset)
    let head = head(at: offset)
    guard head.major == MajorType.array else { throw mismatch([Any].self, at: place) }
    let (start, count) = (offset + head.size, Int(head.number))
    var elements: [Element] = []
    elements.reserveCapacity(Self.room(count, size: MemoryLayout<Element>.stride))
    var at = start
    _ = cursor(place.depth, of: start)
    for index in 0..<count {
      note(-2 - index, in: start, place.depth)
      elements.append(try element(CBORPlace(offset: at, depth: place.depth + 1)))
      at = end(of: untagged(at), depth: place.depth + 1)
    }
    complete(start, count, end: at, place.depth)
    return elements
  }

  /// Returns the pairs of a map. Of two equal keys the first counts.
  @inline(__always)
  func dictionary<Key: Hashable, Value>(
    at place: CBORPlace, _ key: (CBORPlace) throws -> Key, _ value: (CBORPlace) throws -> Value
  ) throws -> [Key: Value] {
    let map = try map(at: place)
    var pairs: [Key: Value] = [:]
    pairs.reserveCapacity(Self.room(map.count, size: MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    var at = map.start
    _ = cursor(map.depth, of: map.start)
    for _ in 0..<map.count {
      note(at, in: map.start, map.depth)
      let name = try key(CBORPlace(offset: at, depth: map.depth + 1))
      at = CBORScan.end(of: at, in: base)
      do {
        let place = CBORPlace(offset: at, depth: map.depth + 1)
        if let first = pairs.updateValue(try value(place), forKey: name) { pairs[name] = first }
      } catch {
        // The value of a repeated key does not count, whatever it is.
        guard pairs[name] != nil else { throw error }
      }
      at = end(of: untagged(at), depth: map.depth + 1)
    }
    complete(map.start, map.count, end: at, map.depth)
    return pairs
  }

  /// Returns the number of elements to reserve memory for. An element may be larger than its item by far, so an input
  /// could otherwise claim a multiple of its size before its first element is found to be wrong.
  @inline(__always)
  private static func room(_ count: Int, size: Int) -> Int { min(count, 1 + (64 << 10) / max(1, size)) }

  /// Notes the key of the element that is read next, for the coding path.
  @inline(__always)
  private func note(_ key: Int, in start: Int, _ depth: Int) {
    // An element may have taken the cursor for another container of this depth, or moved all cursors.
    let cursor = state.pointee.cursors + depth
    if cursor.pointee.start == start { cursor.pointee.key = key }
  }

  /// Notes that a container has been read to its end.
  @inline(__always)
  private func complete(_ start: Int, _ count: Int, end: Int, _ depth: Int) {
    let cursor = cursor(depth, of: start)
    (cursor.pointee.next, cursor.pointee.value, cursor.pointee.taken) = (end, -1, count)
    cursor.pointee.passed = .all
  }

  /// Returns a key of a map as a text, also one that is a whole number.
  @inline(__always)
  func name(at place: CBORPlace) throws -> String {
    let head = head(at: place.offset)
    if head.major == MajorType.text { return try text(head, at: place.offset, place) }
    guard head.major <= MajorType.negative else { throw mismatch(String.self, at: place) }
    return key(at: place.offset).stringValue
  }

  /// Returns a key of a map as a whole number, also one that is written as text.
  @inline(__always)
  func number(at place: CBORPlace) throws -> Int {
    if base[place.offset] < 24 { return Int(base[place.offset]) }
    if let number = key(at: place.offset).intValue { return number }
    guard base[place.offset] >> 5 == MajorType.text, let number = Int(try name(at: place)) else {
      throw mismatch(Int.self, at: place)
    }
    return number
  }
}
