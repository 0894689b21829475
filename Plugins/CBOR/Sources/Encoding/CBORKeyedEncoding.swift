/// The container of a map that is being encoded.
struct CBORKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let session: CBORSession
  let node: CBORNodeID

  var codingPath: [any CodingKey] { session.codingPath(of: node) }

  /// Writes a key, then calls `put` to write its value.
  @inline(__always)
  private func add(_ key: Key, _ put: (inout CBORWriter) -> Void) throws {
    let mark = try session.begin(node, key: key)
    put(&session.writer.pointee)
    session.writer.pointee.end(node, mark)
  }

  func encodeNil(forKey key: Key) throws { try add(key) { $0.putNil() } }
  func encode(_ value: Bool, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: String, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: Double, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: Float, forKey key: Key) throws { try add(key) { $0.put(Double(value)) } }
  func encode(_ value: Int, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: Int8, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: Int16, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: Int32, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: Int64, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: UInt, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: UInt8, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: UInt16, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: UInt32, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: UInt64, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: Int128, forKey key: Key) throws { try add(key) { $0.put(value) } }
  func encode(_ value: UInt128, forKey key: Key) throws { try add(key) { $0.put(value) } }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let start = session.writer.pointee.buffer.count
    let mark = try session.begin(node, key: key)
    try session.encode(value, addedTo: node, mark, start: start)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  {
    session.container(keyedBy: type, session.nest(.map, in: node, key))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    CBORUnkeyedEncoding(session: session, node: session.nest(.array, in: node, key))
  }

  func superEncoder() -> any Encoder {
    CBOREncoding(session: session, node: session.nest(.undecided, in: node, CBORKey.superclass))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    CBOREncoding(session: session, node: session.nest(.undecided, in: node, key))
  }
}
