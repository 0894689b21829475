#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The threads that write and read copies of staged objects.
private let copyPool = BlockingPool()

/// An object that is being written a part at a time. Up to one part is kept in memory; then an upload in parts begins,
/// and a full part is sent while further bytes arrive.
final class StagedObject<Key: StorageKey>: StagedBytes {
  private struct State {
    /// The bytes that are not yet being sent.
    var buffer: PageBuffer?
    /// The number of bytes of the object before the buffer.
    var sent = 0
    /// The whole object, while and after it is stored by one request.
    var whole: Data?
    var upload: PartUpload?
    /// A copy of the bytes before the buffer, with the name of the object, for readers.
    var copy: OpenFile?
  }

  private let store: S3Storage<Key>
  private let key: Key
  private let name: ObjectNames.Name
  private let expiry: Expiry
  private let isReread: Bool
  private let state = Locked(State())

  /// - Parameter isReread: whether bytes are read that have been sent: they are then copied to a temporary file.
  init(_ store: S3Storage<Key>, _ key: Key, _ expiry: Expiry, isReread: Bool) throws {
    self.isReread = isReread
    self.store = store
    self.key = key
    self.expiry = expiry
    name = store.names.name(key)
    let size = PartSizes.size(ofPart: 1, store.client.config)
    let buffer = try PageBuffer(capacity: max(size, name.head.count))
    _ = name.head.withUnsafeBytes { buffer.append($0) }
    state.withLock { $0.buffer = buffer }
  }

  func append(_ bytes: Data) async throws {
    var rest = bytes
    while !rest.isEmpty {
      let appended = state.withLock { state in rest.withUnsafeBytes { state.buffer?.append($0) ?? 0 } }
      rest = rest.dropFirst(appended)
      // A part is sent when more bytes follow: a value of one part is stored by one request.
      if !rest.isEmpty { try await explaining { try await sendPart() } }
    }
  }

  /// Sends the bytes that are in the buffer.
  private func sendPart() async throws {
    let upload: PartUpload
    if let begun = state.withLock({ $0.upload }) {
      upload = begun
    } else {
      upload = try await store.beginUpload(name, expiry)
      state.withLock { $0.upload = upload }
    }
    // Waits for the part before this one, so that no more than two are in memory.
    try await upload.settle()
    let next = try PageBuffer(capacity: PartSizes.size(ofPart: upload.nextNumber + 1, store.client.config))
    if isReread { try await copyBuffer() }
    let part = state.withLock { state -> Data in
      defer { state.buffer = next }
      let part = state.buffer?.take() ?? Data()
      state.sent += part.count
      return part
    }
    if !part.isEmpty { upload.add(part) }
  }

  /// Copies the bytes that are about to be sent: S3 does not return parts of an unfinished upload.
  private func copyBuffer() async throws {
    let (known, sent, part) = state.withLock { state in
      (state.copy, state.sent, state.buffer?.bytes(at: 0, count: .max) ?? Data())
    }
    let copy = try await copyPool.run {
      let copy = try known ?? OpenFile()
      try copy.write(part, at: sent)
      return copy
    }
    state.withLock { $0.copy = copy }
  }

  /// Returns bytes that are not yet being sent, or that have been copied, and `nil` for others.
  func bytes(at offset: Int, count: Int) async throws -> Data? {
    let start = name.head.count + offset
    let (found, copy, sent) = state.withLock { state -> (Data?, OpenFile?, Int) in
      if let whole = state.whole { return (whole.dropFirst(start).prefix(count), nil, 0) }
      let position = start - state.sent
      return (position < 0 ? nil : state.buffer?.bytes(at: position, count: count), state.copy, state.sent)
    }
    guard found == nil, let copy else { return found }
    return try await copyPool.run { try copy.read(start..<min(start + count, sent)) }
  }

  func commit(ifAbsent: Bool) async throws -> Bool {
    try await explaining {
      if ifAbsent { try await store.client.requireConditions(at: store.names.probe) }
      let upload = state.withLock { $0.upload }
      if let upload {
        try await sendPart()
        // Other writes of the key need not wait for the last part.
        try await upload.settle()
      }
      return try await store.order.withTurn(.key(key)) {
        if let upload {
          return ifAbsent
            ? try await store.storeIfAbsent(name, upload.complete) : try await upload.complete(nil)
        }
        let whole = state.withLock { state -> Data in
          state.whole = state.whole ?? state.buffer?.take() ?? Data()
          return state.whole ?? Data()
        }
        let store = { [self] condition in try await self.store.putWhole(whole, name, expiry, if: condition) }
        return ifAbsent ? try await self.store.storeIfAbsent(name, store) : try await store(nil)
      }
    }
  }

  func discard() async {
    let upload = state.withLock { state in
      defer { state = State() }
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
  /// Returns a new value, which is uploaded while bytes are appended. Values of up to `S3Config.partSize` bytes take
  /// one request, at the commit; larger ones are uploaded in parts, which become visible together.
  ///
  /// Two parts are in memory, one of them twice. Only the server limits the size of the value: AWS to 5 TB, which fit
  /// into the 10 000 parts that it permits. If the process dies, its parts stay in the bucket, unseen, until a
  /// lifecycle rule deletes them, or `removeExpiredObjects` or `removeAll` after a day.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    return try StagedObject(self, key, resolved(expiry), isReread: how.contains(.rereading))
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
        try await upload.settle(leaving: 1)
        upload.add(body.dropFirst(range.lowerBound).prefix(range.count))
      }
      let isStored = try await upload.complete(condition)
      if !isStored {
        // The answer is known. `removeExpiredObjects` deletes parts that stay.
        do { try await upload.abort() } catch {}
      }
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
