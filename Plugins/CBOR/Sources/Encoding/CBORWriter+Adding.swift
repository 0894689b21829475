extension CBORWriter {
  /// Prepares to add a value under a key.
  ///
  /// - Returns: the offset of the bytes that will have to be moved into a closed container, or -1 if they are written
  ///   in place.
  @inline(__always)
  mutating func begin(_ id: CBORNodeID, key: some CodingKey) throws -> Int {
    if innermost == id.index && nodes[id.index].serial == id.serial && !nodes[id.index].isShared {
      nodes[id.index].count += 1
      nodes[id.index].lastKey = buffer.count
      buffer.appendText(key.stringValue)
      return -1
    }
    return try beginElsewhere(id, key: key.stringValue)
  }

  /// Prepares to add an element to an array.
  @inline(__always)
  mutating func begin(_ id: CBORNodeID) throws -> Int {
    if innermost == id.index && nodes[id.index].serial == id.serial {
      nodes[id.index].count += 1
      nodes[id.index].lastKey = -nodes[id.index].count
      return -1
    }
    return try beginElsewhere(id, key: nil)
  }

  @inline(never)
  private mutating func beginElsewhere(_ id: CBORNodeID, key: String?) throws -> Int {
    guard isCurrent(id) else { throw Self.late() }
    let index = id.index
    if !nodes[index].isClosed { close(upTo: index) }
    if let key, nodes[index].isShared { remove(key, from: index) }
    nodes[index].count += 1
    let mark = nodes[index].isClosed ? buffer.count : -1
    nodes[index].lastKey = key == nil ? -nodes[index].count : buffer.count
    if let key { buffer.appendText(key) }
    return mark
  }

  /// Completes the value that `begin` has prepared.
  @inline(__always)
  mutating func end(_ id: CBORNodeID, _ mark: Int) {
    if mark >= 0 { move(from: mark, into: id.index) }
  }

  /// Moves the bytes behind `mark` to the end of a closed container.
  private mutating func move(from mark: Int, into index: Int) {
    let (insertion, size) = (nodes[index].end, buffer.count - mark)
    buffer.moveTail(from: mark, to: insertion)
    relocate(within: index, growingBy: size) { start in
      start >= mark ? insertion - mark : start >= insertion ? size : 0
    }
    if nodes[index].kind.isContainer { setHead(index) }
  }

  /// Removes a value that was begun and failed: a type may catch the error and continue.
  mutating func undo(_ id: CBORNodeID, start: Int) {
    buffer.truncate(to: start)
    if isCurrent(id) { nodes[id.index].count -= 1 }
  }

  /// Prepares to write the single value of a node whose kind is not known yet.
  mutating func beginSingle(_ id: CBORNodeID) throws -> Int {
    guard isCurrent(id) else { throw Self.late() }
    guard nodes[id.index].kind == .undecided else {
      throw CBORMisuse(reason: "a value was encoded where one had been encoded before")
    }
    nodes[id.index].kind = .single
    guard nodes[id.index].isClosed else { return -1 }
    // Removes the empty map that a super encoder has reserved.
    let start = nodes[id.index].start
    buffer.remove(1, at: start)
    relocate(from: start + 1, by: -1, within: id.index)
    return buffer.count
  }

  /// Adds a container or a super encoder to a container.
  mutating func nest(_ kind: CBORNode.Kind, in parent: CBORNodeID, _ mark: Int) -> CBORNodeID {
    let child = push(kind, parent: parent.index, key: nodes[parent.index].lastKey)
    buffer.append((kind == .undecided ? MajorType.map : kind.major) << 5)
    nodes[child.index].headSize = 1
    if mark < 0 && kind != .undecided {
      innermost = child.index
    } else {
      nodes[child.index].end = buffer.count
      end(parent, mark)
    }
    return child
  }

  /// Removes a key from a map, if it is present, before it is written again.
  private mutating func remove(_ key: String, from index: Int) {
    var key = key
    let found: (Int, Int)? = key.withUTF8 { name in
      let node = nodes[index]
      var at = node.start + node.headSize
      for _ in 0..<node.count {
        let value = CBORScan.end(of: at, in: buffer.base)
        let end = CBORScan.end(of: value, in: buffer.base)
        let head = CBORHead(at: buffer.base + at)
        if Int(head.number) == name.count,
          UnsafeBufferPointer(start: buffer.base + at + head.size, count: name.count).elementsEqual(name)
        {
          return (at, end)
        }
        at = end
      }
      return nil
    }
    guard let (start, end) = found else { return }
    buffer.remove(end - start, at: start)
    nodes[index].count -= 1
    relocate(from: end, by: start - end, within: index)
  }

  static func late() -> CBORMisuse {
    CBORMisuse(reason: "a container was used after its value had been encoded")
  }
}

/// A wrong use of an encoder, whose result no CBOR could represent.
struct CBORMisuse: Error {
  let reason: String
}
