/// The bytes of one encoding, and the containers in them that may still be written to.
///
/// `Codable` reports when a container is opened, but not when it is complete, and a type may write to two of them in
/// turn. So containers are nodes. The innermost one is written at the end of the buffer. Another one is closed, and
/// later additions are moved to its end. All nodes of a value are final when its `encode(to:)` returns.
///
/// The writer is behind a pointer, since each access to a stored property of a class is checked for exclusivity at run
/// time, which took as long as the encoding itself.
struct CBORWriter: ~Copyable {
  var buffer = CBORBuffer(capacity: 512)
  var nodes = CBORNodes()
  /// The index of the node at the end of the buffer, which is written to; -1 before the first.
  var innermost = -1
  /// The serial number of the last node, which distinguishes nodes that used the same index one after the other.
  private var serial: UInt32 = 0
  /// The depth of the value whose `encode(to:)` runs.
  var depth = 0
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Returns the index of the node that a reference names, if its value is still being encoded.
  @inline(__always)
  func isCurrent(_ node: CBORNodeID) -> Bool {
    node.index < nodes.count && nodes[node.index].serial == node.serial
  }

  /// Opens a node at the end of the buffer.
  @inline(__always)
  mutating func push(_ kind: CBORNode.Kind, parent: Int, key: Int) -> CBORNodeID {
    serial &+= 1
    let index = nodes.push(
      CBORNode(kind: kind, serial: serial, parent: parent, key: key, start: buffer.count))
    return CBORNodeID(index: index, serial: serial)
  }

  /// Sets the kind of a node that had none, and makes it the innermost.
  mutating func open(_ index: Int, as kind: CBORNode.Kind) {
    if nodes[index].isClosed {
      // A super encoder has reserved an empty map here.
      let node = nodes[index]
      buffer.setHead(kind.major, 0, at: node.start)
      nodes[index].kind = kind
      nodes[index].headSize = 1
      return
    }
    nodes[index].kind = kind
    nodes[index].headSize = 1
    buffer.append(kind.major << 5)
    innermost = index
  }

  /// Closes all nodes inside a node, which becomes the innermost one.
  mutating func close(upTo index: Int) {
    while innermost > index {
      let parent = nodes[innermost].parent
      finish(innermost)
      innermost = parent
    }
  }

  /// Writes the head of a node, whose number of elements is now known.
  @inline(__always)
  mutating func finish(_ index: Int) {
    if nodes[index].kind == .undecided { buffer.append(MajorType.map << 5) }
    nodes[index].end = buffer.count
    if nodes[index].kind.isContainer { setHead(index) }
  }

  @inline(__always)
  mutating func setHead(_ index: Int) {
    let node = nodes[index]
    let number = UInt64(node.count)
    if number < 24 {
      buffer.base[node.start] = node.kind.major << 5 | UInt8(truncatingIfNeeded: number)
    } else {
      setLongHead(index, number)
    }
  }

  private mutating func setLongHead(_ index: Int, _ number: UInt64) {
    let node = nodes[index]
    let more = CBORHead.size(of: number) - node.headSize
    if more > 0 {
      buffer.insert(more, at: node.start + node.headSize)
      nodes[index].headSize += more
      relocate(from: node.start + node.headSize, by: more, within: index)
    }
    buffer.setHead(node.kind.major, number, at: node.start)
  }

  /// Corrects the offsets of all nodes after bytes were inserted into a node.
  mutating func relocate(from offset: Int, by size: Int, within index: Int) {
    relocate(within: index, growingBy: size) { $0 >= offset ? size : 0 }
  }

  /// Corrects the offsets of all nodes after bytes were moved. `shift` returns the distance for the offset at which a
  /// node began. The node with the bytes, and the nodes around it, have grown.
  mutating func relocate(within index: Int, growingBy size: Int, _ shift: (Int) -> Int) {
    for other in 0..<nodes.count where other != index {
      let distance = shift(nodes[other].start)
      guard distance != 0 else { continue }
      nodes[other].start += distance
      if nodes[other].key > 0 { nodes[other].key += distance }
      if nodes[other].isClosed { nodes[other].end += distance }
    }
    var owner = index
    while owner >= 0 {
      if nodes[owner].isClosed { nodes[owner].end += size }
      owner = nodes[owner].isDetached ? -1 : nodes[owner].parent
    }
  }
}
