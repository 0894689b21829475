package struct ZippedReadableStorage<A: ReadableStorage, B: ReadableStorage>: ReadableStorage
where A.Key == B.Key {
  package typealias Key = A.Key
  package typealias Value = (A.Value, B.Value)

  let first: A
  let second: B

  package var storageName: String { "zip" }
  package var wrappedStorages: [any StorageDesign] { [first, second] }

  package func retrieve(forKey key: Key) async throws -> Value {
    let parent = Runner.currentTask
    async let one = WaitGraph.inChild(of: parent) { try await first.retrieve(forKey: key) }
    async let two = WaitGraph.inChild(of: parent) { try await second.retrieve(forKey: key) }
    return (try await one, try await two)
  }
}

package struct ZippedWritableStorage<A: WritableStorage, B: WritableStorage>: WritableStorage
where A.Key == B.Key {
  package typealias Key = A.Key
  package typealias Value = (A.Value, B.Value)

  let first: A
  let second: B
  /// Orders the writes. Two concurrent writes of a key could otherwise leave the first part of one and the second part
  /// of the other.
  let line = SerialLine()

  package var storageName: String { "zip" }
  package var wrappedStorages: [any StorageDesign] { [first, second] }

  package func set(_ value: Value, forKey key: Key) async throws {
    try await line.run {
      let written = await changeAtOnce {
        try await first.set(value.0, forKey: key)
      } and: {
        try await second.set(value.1, forKey: key)
      }
      switch written {
      case (.success, .success): return
      case (.success, .failure(let error)): throw halfWritten(.first, key, error)
      case (.failure(let error), .success): throw halfWritten(.second, key, error)
      case (.failure(let error), .failure(let second)): throw doubleFault(error, second)
      }
    }
  }
}

package struct ZippedPlainStorage<
  A: ReadableStorage & WritableStorage, B: ReadableStorage & WritableStorage
>: ReadWriteStorage where A.Key == B.Key {
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
