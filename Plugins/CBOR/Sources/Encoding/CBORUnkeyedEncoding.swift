/// The container of an array that is being encoded.
struct CBORUnkeyedEncoding: UnkeyedEncodingContainer {
  let session: CBORSession
  let node: CBORNodeID

  var codingPath: [any CodingKey] { session.codingPath(of: node) }
  var count: Int { session.count(of: node) }

  @inline(__always)
  private func add(_ put: (inout CBORWriter) -> Void) throws {
    let mark = try session.begin(node)
    put(&session.writer.pointee)
    session.writer.pointee.end(node, mark)
  }

  func encodeNil() throws { try add { $0.putNil() } }
  func encode(_ value: Bool) throws { try add { $0.put(value) } }
  func encode(_ value: String) throws { try add { $0.put(value) } }
  func encode(_ value: Double) throws { try add { $0.put(value) } }
  func encode(_ value: Float) throws { try add { $0.put(Double(value)) } }
  func encode(_ value: Int) throws { try add { $0.put(value) } }
  func encode(_ value: Int8) throws { try add { $0.put(value) } }
  func encode(_ value: Int16) throws { try add { $0.put(value) } }
  func encode(_ value: Int32) throws { try add { $0.put(value) } }
  func encode(_ value: Int64) throws { try add { $0.put(value) } }
  func encode(_ value: UInt) throws { try add { $0.put(value) } }
  func encode(_ value: UInt8) throws { try add { $0.put(value) } }
  func encode(_ value: UInt16) throws { try add { $0.put(value) } }
  func encode(_ value: UInt32) throws { try add { $0.put(value) } }
  func encode(_ value: UInt64) throws { try add { $0.put(value) } }
  func encode(_ value: Int128) throws { try add { $0.put(value) } }
  func encode(_ value: UInt128) throws { try add { $0.put(value) } }

  func encode<T: Encodable>(_ value: T) throws {
    let start = session.writer.pointee.buffer.count
    let mark = try session.begin(node)
    try session.encode(value, addedTo: node, mark, start: start)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    session.container(keyedBy: type, session.nest(.map, in: node))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    CBORUnkeyedEncoding(session: session, node: session.nest(.array, in: node))
  }

  func superEncoder() -> any Encoder {
    CBOREncoding(session: session, node: session.nest(.undecided, in: node))
  }
}
