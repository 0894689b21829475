/// `PushingStorage` for stores that can only be written, or only read and written.
///
/// Writes of a key reach both stores in the same order, and so do writes of keys that cannot be compared.
package struct PushingPlainStorage<Front: WritableStorage, Back: WritableStorage>: WritableStorage
where Front.Key == Back.Key, Front.Value == Back.Value {
  package typealias Key = Front.Key
  package typealias Value = Front.Value

  let front: Front
  let back: Back
  /// The order of writes, by the hashes of their keys.
  let order = KeyOrder<Int>()

  package var storageName: String { "pushing" }
  package var wrappedStorages: [any StorageDesign] { [front, back] }

  package func set(_ value: Value, forKey key: Key) async throws {
    try await order.withTurn(.key((key as? any Hashable)?.hashValue ?? 0)) {
      try await back.set(value, forKey: key)
      try await finishing { try await front.set(value, forKey: key) }
    }
  }
}

extension PushingPlainStorage: ReadableStorage, ReadWriteStorage where Front: ReadableStorage {
  package func retrieve(forKey key: Key) async throws -> Value { try await front.retrieve(forKey: key) }
}
