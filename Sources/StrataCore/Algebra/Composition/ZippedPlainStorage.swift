package struct ZippedReadableStorage<A: ReadableStorage, B: ReadableStorage>: ReadableStorage
where A.Key == B.Key {
  package typealias Key = A.Key
  package typealias Value = (A.Value, B.Value)

  let first: A
  let second: B

  package var storageName: String { "zip" }
  package var wrappedStorages: [any StorageDesign] { [first, second] }

  package func retrieve(forKey key: Key) async throws -> Value {
    (try await first.retrieve(forKey: key), try await second.retrieve(forKey: key))
  }
}

package struct ZippedWritableStorage<A: WritableStorage, B: WritableStorage>: WritableStorage
where A.Key == B.Key {
  package typealias Key = A.Key
  package typealias Value = (A.Value, B.Value)

  let first: A
  let second: B
  /// Two writes of a key would otherwise leave the first part of one and the second of the other.
  let line = SerialLine()

  package var storageName: String { "zip" }
  package var wrappedStorages: [any StorageDesign] { [first, second] }

  package func set(_ value: Value, forKey key: Key) async throws {
    try await line.run {
      try await first.set(value.0, forKey: key)
      do { try await second.set(value.1, forKey: key) } catch { throw halfWritten(key, error) }
    }
  }
}

package struct ZippedPlainStorage<
  A: ReadableStorage & WritableStorage, B: ReadableStorage & WritableStorage
>: ReadableStorage, WritableStorage where A.Key == B.Key {
  package typealias Key = A.Key
  package typealias Value = (A.Value, B.Value)

  let readable: ZippedReadableStorage<A, B>
  let writable: ZippedWritableStorage<A, B>

  init(first: A, second: B) {
    readable = ZippedReadableStorage(first: first, second: second)
    writable = ZippedWritableStorage(first: first, second: second)
  }

  package var storageName: String { "zip" }
  package var wrappedStorages: [any StorageDesign] { readable.wrappedStorages }

  package func retrieve(forKey key: Key) async throws -> Value { try await readable.retrieve(forKey: key) }
  package func set(_ value: Value, forKey key: Key) async throws {
    try await writable.set(value, forKey: key)
  }
}

/// The error to throw when the first part of a pair stays written without the second.
func halfWritten(
  _ key: (any Sendable)?, _ cause: any Error, _ why: String = "and the first store cannot take it back"
) -> StorageError {
  StorageError.backendFailed.with(
    "of a pair only the first part was written: the second store failed, \(why)", key: key, cause: cause)
}
