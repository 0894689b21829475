/// The bytes of one encoding, and the containers in them that may still be written to.
///
/// `Codable` says when a container is opened, never when it is done, and a type may fill two of them by turns. So
/// containers are nodes: the innermost one is written at the end of the buffer; another one is closed, and what is
/// added to it later is moved to its end. All nodes of a value are final when its `encode(to:)` returns.
///
/// Behind a pointer, since each access to a stored property of a class is checked for exclusivity at run time, which
/// took as long as the encoding itself.
struct CBORWriter: ~Copyable {
  var buffer = CBORBuffer(capacity: 512)
  var nodes = CBORNodes()
  /// The node at the end of the buffer that is written to; -1 before the first.
  var innermost = -1
  /// Tells the nodes of one value from those that had the same place before.
  private var serial: UInt32 = 0
  /// How deep the value is nested whose `encode(to:)` runs.
  var depth = 0
  var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The node that a reference means, if its value is still being encoded.
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

  /// Gives an undecided node its kind, and makes it the innermost.
  mutating func open(_ index: Int, as kind: CBORNode.Kind) {
    if nodes[index].isClosed {
      // What a super encoder has reserved: an empty map.
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

  /// Closes what is open above a node, which becomes the innermost one.
  mutating func close(upTo index: Int) {
    while innermost > index {
      let parent = nodes[innermost].parent
      finish(innermost)
      innermost = parent
    }
  }

  /// Writes the head of a node, now that it is known how much is in it.
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

  /// Corrects all nodes after bytes were inserted at an offset, in a node.
  mutating func relocate(from offset: Int, by size: Int, within index: Int) {
    relocate(within: index, growingBy: size) { $0 >= offset ? size : 0 }
  }

  /// Corrects all nodes after bytes were moved: `shift` tells how far, of the offset where a node began. The node in
  /// which the bytes are, and those around it, have grown.
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
