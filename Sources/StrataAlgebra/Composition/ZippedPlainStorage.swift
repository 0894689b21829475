import StrataCore

/// Two stores that can only be read or written as one store of pairs, which can be read if both can, and written if
/// both can.
struct ZippedPlainStorage<A: StorageDesign, B: StorageDesign>: StorageDesign {
  let first: A
  let second: B
  /// Orders the writes. Two concurrent writes of a key could otherwise leave the first part of one and the second part
  /// of the other.
  let line = SerialLine()

  var storageName: String { "zip" }
  var wrappedStorages: [any StorageDesign] { [first, second] }
}

extension ZippedPlainStorage: ReadableStorage where A: ReadableStorage, B: ReadableStorage, A.Key == B.Key {
  func retrieve(forKey key: A.Key) async throws -> (A.Value, B.Value) {
    let parent = Runner.currentTask
    async let one = WaitGraph.inChild(of: parent) { try await first.retrieve(forKey: key) }
    async let two = WaitGraph.inChild(of: parent) { try await second.retrieve(forKey: key) }
    return (try await one, try await two)
  }
}

extension ZippedPlainStorage: WritableStorage where A: WritableStorage, B: WritableStorage, A.Key == B.Key {
  func set(_ value: (A.Value, B.Value), forKey key: A.Key) async throws {
    try await line.run {
      let (one, two) = await changeAtOnce {
        try await first.set(value.0, forKey: key)
      } and: {
        try await second.set(value.1, forKey: key)
      }
      guard let error = pairFailure(one.failure, two.failure) else { return }
      if one.failure != nil, two.failure != nil { throw error }
      throw halfWritten(isFirst: one.failure == nil, key, error) { "\($0) store cannot undo its write" }
    }
  }
}

extension ZippedPlainStorage: ReadWriteStorage
where A: ReadableStorage & WritableStorage, B: ReadableStorage & WritableStorage, A.Key == B.Key {}
