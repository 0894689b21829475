import StrataCore

/// `CombinedStorage` for stores whose keys cannot be compared: misses and writes of all keys wait in one queue.
struct CombinedPlainStorage<Front: ReadableStorage & WritableStorage, Back: ReadableStorage>: ReadWriteStorage
where Front.Key == Back.Key, Front.Value == Back.Value {
  let front: Front
  let back: Back
  var storageName = "combined"
  /// Stores a value in the back; for a back that is only read, does nothing.
  let writeBack: @Sendable (Front.Value, Front.Key) async throws -> Void
  let line = SerialLine()

  var wrappedStorages: [any StorageDesign] { [front, back] }

  func retrieve(forKey key: Front.Key) async throws -> Front.Value {
    if let value = try await front.valueIfPresent(forKey: key) { return value }
    return try await line.run {
      if let value = try await front.valueIfPresent(forKey: key) { return value }
      let value = try await back.retrieve(forKey: key)
      try await front.set(value, forKey: key)
      return value
    }
  }

  func set(_ value: Front.Value, forKey key: Front.Key) async throws {
    try await line.run {
      try await writeBack(value, key)
      try await finishing { try await front.set(value, forKey: key) }
    }
  }
}

/// A store that reads a front and, if it has no value, a back. It writes to neither.
struct BackedReadableStorage<Front: ReadableStorage, Back: ReadableStorage>: ReadableStorage
where Front.Key == Back.Key, Front.Value == Back.Value {
  let front: Front
  let back: Back

  var storageName: String { "backed" }
  var wrappedStorages: [any StorageDesign] { [front, back] }

  func retrieve(forKey key: Front.Key) async throws -> Front.Value {
    if let value = try await front.valueIfPresent(forKey: key) { return value }
    return try await back.retrieve(forKey: key)
  }
}
