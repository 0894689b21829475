/// `CombinedStorage` for stores whose keys cannot be compared: misses and writes of all keys wait in one queue.
package struct CombinedPlainStorage<
  Front: ReadableStorage & WritableStorage, Back: ReadableStorage & WritableStorage
>: ReadWriteStorage where Front.Key == Back.Key, Front.Value == Back.Value {
  package typealias Key = Front.Key
  package typealias Value = Front.Value

  let front: Front
  let back: Back
  package var storageName = "combined"
  let line = SerialLine()

  package var wrappedStorages: [any StorageDesign] { [shown(front), shown(back)] }

  package func retrieve(forKey key: Key) async throws -> Value {
    if let value = try await front.valueIfPresent(forKey: key) { return value }
    return try await line.run {
      if let value = try await front.valueIfPresent(forKey: key) { return value }
      let value = try await back.retrieve(forKey: key)
      try await front.set(value, forKey: key)
      return value
    }
  }

  package func set(_ value: Value, forKey key: Key) async throws {
    try await line.run {
      try await back.set(value, forKey: key)
      try await finishing { try await front.set(value, forKey: key) }
    }
  }
}

/// A store that reads a front and, if it has no value, a back. It writes to neither.
package struct BackedReadableStorage<Front: ReadableStorage, Back: ReadableStorage>: ReadableStorage
where Front.Key == Back.Key, Front.Value == Back.Value {
  package typealias Key = Front.Key
  package typealias Value = Front.Value

  let front: Front
  let back: Back

  package var storageName: String { "backed" }
  package var wrappedStorages: [any StorageDesign] { [front, back] }

  package func retrieve(forKey key: Key) async throws -> Value {
    if let value = try await front.valueIfPresent(forKey: key) { return value }
    return try await back.retrieve(forKey: key)
  }
}
