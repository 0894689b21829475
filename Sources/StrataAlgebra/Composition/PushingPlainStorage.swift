import StrataCore

/// `PushingStorage` for stores that can only be written, or only read and written.
///
/// Writes of a key reach both stores in the same order, and so do writes of keys that cannot be compared.
struct PushingPlainStorage<Front: WritableStorage, Back: WritableStorage>: WritableStorage
where Front.Key == Back.Key, Front.Value == Back.Value {
  let front: Front
  let back: Back
  /// The order of writes, by the hashes of their keys.
  let order = KeyOrder<Int>()

  var storageName: String { "pushing" }
  var wrappedStorages: [any StorageDesign] { [front, back] }

  func set(_ value: Front.Value, forKey key: Front.Key) async throws {
    try await order.withTurn(.key((key as? any Hashable)?.hashValue ?? 0)) {
      try await back.set(value, forKey: key)
      try await finishing { try await front.set(value, forKey: key) }
    }
  }
}

extension PushingPlainStorage: ReadableStorage, ReadWriteStorage where Front: ReadableStorage {
  func retrieve(forKey key: Front.Key) async throws -> Front.Value { try await front.retrieve(forKey: key) }
}
