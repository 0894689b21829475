extension CBOREncoding: SingleValueEncodingContainer {
  @inline(__always)
  private func only(_ put: (inout CBORWriter) -> Void) throws {
    let mark = try session.single(node)
    put(&session.writer.pointee)
    session.writer.pointee.end(node, mark)
  }

  func encodeNil() throws { try only { $0.putNil() } }
  func encode(_ value: Bool) throws { try only { $0.put(value) } }
  func encode(_ value: String) throws { try only { $0.put(value) } }
  func encode(_ value: Double) throws { try only { $0.put(value) } }
  func encode(_ value: Float) throws { try only { $0.put(Double(value)) } }
  func encode(_ value: Int) throws { try only { $0.put(value) } }
  func encode(_ value: Int8) throws { try only { $0.put(value) } }
  func encode(_ value: Int16) throws { try only { $0.put(value) } }
  func encode(_ value: Int32) throws { try only { $0.put(value) } }
  func encode(_ value: Int64) throws { try only { $0.put(value) } }
  func encode(_ value: UInt) throws { try only { $0.put(value) } }
  func encode(_ value: UInt8) throws { try only { $0.put(value) } }
  func encode(_ value: UInt16) throws { try only { $0.put(value) } }
  func encode(_ value: UInt32) throws { try only { $0.put(value) } }
  func encode(_ value: UInt64) throws { try only { $0.put(value) } }
  func encode(_ value: Int128) throws { try only { $0.put(value) } }
  func encode(_ value: UInt128) throws { try only { $0.put(value) } }

  func encode<T: Encodable>(_ value: T) throws {
    let mark = try session.single(node)
    try session.encode(value, in: node.index, key: 0, isDetached: mark >= 0)
    session.writer.pointee.end(node, mark)
  }
}
