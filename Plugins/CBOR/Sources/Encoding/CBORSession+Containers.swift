/// The writer's operations for containers, with errors that have the coding path.
extension CBORSession {
  @inline(__always)
  func begin(_ node: CBORNodeID, key: some CodingKey) throws -> Int {
    do { return try writer.pointee.begin(node, key: key) } catch { throw failure(node, error) }
  }

  @inline(__always)
  func begin(_ node: CBORNodeID) throws -> Int {
    do { return try writer.pointee.begin(node) } catch { throw failure(node, error) }
  }

  @inline(__always)
  func single(_ node: CBORNodeID) throws -> Int {
    do { return try writer.pointee.beginSingle(node) } catch { throw failure(node, error) }
  }

  /// Encodes a value that was begun. If that fails, removes all of its bytes.
  @inline(__always)
  func encode<T: Encodable>(_ value: T, addedTo node: CBORNodeID, _ mark: Int, start: Int) throws {
    if !writer.pointee.putKnown(value) {
      let key = writer.pointee.nodes[node.index].lastKey
      do {
        try encode(value, in: node.index, key: key, isDetached: mark >= 0)
      } catch {
        writer.pointee.undo(node, start: mark >= 0 ? mark : start)
        throw error
      }
    }
    writer.pointee.end(node, mark)
  }

  /// Adds a container under a key. `Codable` does not let this function throw: if the container is invalid, writing to
  /// it throws.
  func nest(_ kind: CBORNode.Kind, in node: CBORNodeID, _ key: some CodingKey) -> CBORNodeID {
    do { return try writer.pointee.nest(kind, in: node, begin(node, key: key)) } catch { return .none }
  }

  func nest(_ kind: CBORNode.Kind, in node: CBORNodeID) -> CBORNodeID {
    do { return try writer.pointee.nest(kind, in: node, begin(node)) } catch { return .none }
  }

  func count(of node: CBORNodeID) -> Int {
    writer.pointee.isCurrent(node) ? writer.pointee.nodes[node.index].count : 0
  }

  private func failure(_ node: CBORNodeID, _ error: any Error) -> any Error {
    guard let misuse = error as? CBORMisuse else { return error }
    return EncodingError.invalidValue(
      "", .init(codingPath: codingPath(of: node), debugDescription: "CBOR: \(misuse.reason)"))
  }
}
