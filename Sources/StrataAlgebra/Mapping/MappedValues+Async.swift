public import StrataCore

extension MappedValues: UpdateableStorage where Base: UpdateableStorage {
  @inlinable
  func update(forKey key: Key, _ modify: (inout Value) throws -> Void) async throws -> Value {
    var changed: Value?
    let stored = try await base.update(forKey: key) { changed = try modified(&$0, forKey: key, by: modify) }
    return try changed ?? mapped(stored, forKey: key, by: mapTo)
  }
}
