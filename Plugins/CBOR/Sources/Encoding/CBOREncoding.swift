/// The buffers of an encoding, reused by later encodings.
///
/// Unchecked: all state is behind a pointer, and `CBOREncoder` gives a session to one encoding at a time. Sessions are
/// never freed, so that containers need not count references: an encoder that a type keeps after its `encode(to:)` has
/// returned still finds its session, and is refused, because its node's serial number has changed.
struct CBORSession: @unchecked Sendable {
  let writer: UnsafeMutablePointer<CBORWriter>

  init(_ writer: UnsafeMutablePointer<CBORWriter>) { self.writer = writer }

  /// Allocates a session, for good.
  init() {
    writer = .allocate(capacity: 1)
    writer.initialize(to: CBORWriter())
  }

  /// Encodes a value at the end of the buffer.
  ///
  /// - Parameter isDetached: whether the bytes belong to a container that is already closed.
  @inline(__always)
  func encode<T: Encodable>(_ value: T, in parent: Int, key: Int, isDetached: Bool) throws {
    if writer.pointee.putKnown(value) { return }
    try encodeByItself(value, in: parent, key: key, isDetached: isDetached)
  }

  private func encodeByItself<T: Encodable>(_ value: T, in parent: Int, key: Int, isDetached: Bool) throws {
    let (outer, nodes, depth) = (writer.pointee.innermost, writer.pointee.nodes.count, writer.pointee.depth)
    guard depth < CBORLimits.depth else {
      throw CBORMisuse(reason: "values are nested deeper than \(CBORLimits.depth) levels")
    }
    let id = writer.pointee.push(.undecided, parent: parent, key: key)
    if isDetached { writer.pointee.nodes[id.index].isDetached = true }
    writer.pointee.innermost = id.index
    writer.pointee.depth = depth + 1
    defer {
      writer.pointee.nodes.truncate(to: nodes)
      writer.pointee.innermost = outer
      writer.pointee.depth = depth
    }
    do { try value.encode(to: CBOREncoding(session: self, node: id)) } catch let misuse as CBORMisuse {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath(of: id), debugDescription: "CBOR: \(misuse.reason)"))
    }
    writer.pointee.close(upTo: id.index)
    writer.pointee.finish(id.index)
  }

  /// Returns the keys that lead to a node, read from the encoded bytes. Only errors need them, so no encoding records
  /// them.
  func codingPath(of id: CBORNodeID) -> [any CodingKey] {
    guard writer.pointee.isCurrent(id) else { return [] }
    var (path, index): ([any CodingKey], Int) = ([], id.index)
    while index >= 0 {
      let node = writer.pointee.nodes[index]
      if node.key > 0 {
        let head = CBORHead(at: writer.pointee.buffer.base + node.key)
        let text = UnsafeBufferPointer(
          start: writer.pointee.buffer.base + node.key + head.size, count: Int(head.number))
        path.append(CBORKey(stringValue: String(decoding: text, as: UTF8.self)))
      } else if node.key < 0 {
        path.append(CBORKey(index: -1 - node.key))
      }
      index = node.parent
    }
    return path.reversed()
  }
}

/// The encoder passed to a value; also its single-value container.
///
/// Three words, so that `any Encoder` holds it in place.
struct CBOREncoding: Encoder {
  let session: CBORSession
  let node: CBORNodeID

  var codingPath: [any CodingKey] { session.codingPath(of: node) }
  var userInfo: [CodingUserInfoKey: Any] { session.writer.pointee.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    session.container(keyedBy: type, open(.map))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    CBORUnkeyedEncoding(session: session, node: open(.array))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Makes the value a container of a kind, or returns the existing one. Throws if the value is of another kind.
  private func open(_ kind: CBORNode.Kind) -> CBORNodeID {
    let writer = session.writer
    guard writer.pointee.isCurrent(node) else { return .none }
    switch writer.pointee.nodes[node.index].kind {
    case .undecided: writer.pointee.open(node.index, as: kind)
    case kind: writer.pointee.nodes[node.index].isShared = true
    default: return .none
    }
    return node
  }
}

/// The limits of the encoder and the decoder.
enum CBORLimits {
  /// The maximum nesting depth, limited by a thread's stack.
  static let depth = 512
}
