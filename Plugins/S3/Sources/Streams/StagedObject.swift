#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// An object that is being written a part at a time. Up to one part is kept in memory; then an upload in parts begins,
/// and full parts are sent while further bytes arrive.
final class StagedObject<Key: StorageKey>: StagedBytes {
  private struct State {
    /// The bytes that are not yet being sent.
    var buffer: Data
    /// The number of bytes of the object before the buffer.
    var sent = 0
    var upload: PartUpload?
  }

  private let store: S3Storage<Key>
  private let key: Key
  private let name: ObjectNames.Name
  private let expiry: Expiry
  private let state: Locked<State>

  init(_ store: S3Storage<Key>, _ key: Key, _ expiry: Expiry) {
    self.store = store
    self.key = key
    self.expiry = expiry
    name = store.names.name(key)
    state = Locked(State(buffer: Data(name.head)))
  }

  func append(_ bytes: Data) async throws {
    var rest = bytes
    while !rest.isEmpty {
      let number = state.withLock { $0.upload }?.nextNumber ?? 1
      let size = PartSizes.size(ofPart: number, partSize: store.client.config.partSize)
      let isFull = state.withLock { state in
        if state.buffer.isEmpty, rest.count < size { state.buffer.reserveCapacity(size) }
        let taken = rest.prefix(max(0, size - state.buffer.count))
        state.buffer.append(taken)
        rest = rest.dropFirst(taken.count)
        return state.buffer.count >= size
      }
      // A part is sent when more bytes follow: a value of one part is stored by one request.
      if isFull, !rest.isEmpty { try await explaining { try await sendPart() } }
    }
  }

  private func sendPart() async throws {
    let upload: PartUpload
    if let begun = state.withLock({ $0.upload }) {
      upload = begun
    } else {
      upload = try await store.beginUpload(name, expiry)
      state.withLock { $0.upload = upload }
    }
    let part = state.withLock { state in
      let part = state.buffer
      state.buffer = Data()
      state.sent += part.count
      return part
    }
    try await upload.add(part)
  }

  /// Returns bytes that are not yet being sent, and `nil` for earlier ones: S3 does not return parts of an unfinished
  /// upload.
  func bytes(at offset: Int, count: Int) async throws -> Data? {
    state.withLock { state in
      let position = name.head.count + offset - state.sent
      return position < 0 ? nil : state.buffer.dropFirst(position).prefix(count)
    }
  }

  func commit() async throws {
    try await explaining {
      let (upload, buffer) = state.withLock { ($0.upload, $0.buffer) }
      guard let upload else {
        try await store.order.withTurn(.key(key)) {
          _ = try await store.putWhole(buffer, name, expiry, if: nil)
        }
        return
      }
      try await sendPart()
      // Other writes of the key need not wait for the last parts.
      try await upload.settle()
      try await store.order.withTurn(.key(key)) { _ = try await upload.complete(nil) }
    }
  }

  func discard() async {
    let upload = state.withLock { state in
      defer { state = State(buffer: Data()) }
      return state.upload
    }
    // If the server cannot be reached, the upload stays until `clear`, or a lifecycle rule, removes it. The caller has
    // an error of its own to throw.
    do { try await upload?.abort() } catch {}
  }

  private func explaining<R>(_ body: () async throws -> R) async throws -> R {
    try await store.explaining("store the entry", key, body)
  }
}

extension S3Storage {
  /// Returns a new value, which is uploaded while bytes are appended. Values of up to `S3Config.partSize` bytes take one
  /// request, at the commit; larger ones are uploaded in parts, which become visible together.
  ///
  /// Up to three parts are in memory. Only the server limits the size of the value: AWS to 5 TB, which also fits into
  /// the 10 000 parts that it permits. If the process dies, its parts stay in the bucket, unseen, until a lifecycle rule
  /// or `removeExpiredObjects` deletes them.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    return StagedObject(self, key, resolved(expiry))
  }

  /// Begins to upload an object in parts.
  func beginUpload(_ name: ObjectNames.Name, _ expiry: Expiry) async throws -> PartUpload {
    try await markExpiring(expiry)
    return try await PartUpload(client, name.text, fields: StoredObject.fields(expiry))
  }

  /// Uploads an object that is in memory in parts. Returns `false`, and stores nothing, if the condition does not hold
  /// then. If the upload fails, its parts are deleted.
  func upload(
    _ body: Data, _ name: ObjectNames.Name, _ expiry: Expiry, if condition: Condition?
  ) async throws -> Bool {
    let upload = try await beginUpload(name, expiry)
    do {
      for range in PartSizes.ranges(body.count, partSize: client.config.partSize) {
        try await upload.add(body.dropFirst(range.lowerBound).prefix(range.count))
      }
      let isStored = try await upload.complete(condition)
      if !isStored { try await upload.abort() }
      return isStored
    } catch {
      throw await Self.aborted(upload, after: error)
    }
  }

  /// Deletes the uploaded parts. Returns the error to throw.
  private static func aborted(_ upload: PartUpload, after error: any Error) async -> any Error {
    do {
      try await upload.abort()
      return error
    } catch let second {
      guard let first = error as? StorageError else { return error }
      return first.with(
        "\(first.message); its parts could not be deleted (\(second)): have a lifecycle rule delete incomplete uploads"
      )
    }
  }
}
