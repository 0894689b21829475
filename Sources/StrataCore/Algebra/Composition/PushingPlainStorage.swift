/// `PushingStorage` for stores that can only be written, or only read and written.
///
/// Writes in one lane reach both stores in the same order. A lane is a single key if keys can be compared, otherwise
/// all keys.
package struct PushingPlainStorage<Front: WritableStorage, Back: WritableStorage, Lane: Hashable & Sendable>:
  WritableStorage
where Front.Key == Back.Key, Front.Value == Back.Value {
  package typealias Key = Front.Key
  package typealias Value = Front.Value

  let front: Front
  let back: Back
  let lane: @Sendable (Key) -> Lane
  let order = KeyOrder<Lane>()

  package var storageName: String { "pushing" }
  package var wrappedStorages: [any StorageDesign] { [front, back] }

  package func set(_ value: Value, forKey key: Key) async throws {
    try await order.withTurn(.key(lane(key))) {
      try await back.set(value, forKey: key)
      try await finishing { try await front.set(value, forKey: key) }
    }
  }
}

extension PushingPlainStorage: ReadableStorage, ReadWriteStorage where Front: ReadableStorage {
  package func retrieve(forKey key: Key) async throws -> Value { try await front.retrieve(forKey: key) }
}
