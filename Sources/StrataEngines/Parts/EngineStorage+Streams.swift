#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension EngineStorage {
  /// Returns the bytes of an entry, which are read about a megabyte at a time, or `nil` if there is none.
  ///
  /// A value that was written as a stream is stored in parts; any other is read into memory. No lock is held between
  /// two parts. If the value is replaced or removed meanwhile, the next part throws `.backendFailed`; a damaged part
  /// throws `.malformedFileAttributes`.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard try how.mayRead() else { return nil }
    let place = EngineParts(store: self)
    switch try await place.run("read the entry", key, { try $0.stored(key.storageKey) }) {
    case nil: return nil
    case .whole(let entry)?: return StoredBytes(entry.object, range: range, expiry: entry.expiry)
    case .divided(let value, let expiry)?: return value.bytes(range, expiry, in: place, key)
    }
  }

  /// Returns a new value, which is stored in parts if it is longer than one. Throws `.tooLarge` from the append with
  /// which the value exceeds `maxSize`.
  ///
  /// Parts are stored about a megabyte at a time, each time in a transaction. They count in `totalSize` from the commit
  /// on. The parts of a writer that has ended without `discard` are removed when a value is next written as a stream,
  /// or by `removeExpiredObjects`, but not before the writer has stored nothing for an hour.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    _ = try writable(key)
    let place = EngineParts(store: self)
    try await place.run("store the entry", key) { try $0.reclaim(thoroughly: false) }
    return DividedWriter(place, key, expiry)
  }
}

/// The parts of the values of an `EngineStorage`. All calls of the engine run on threads of the store's pool.
struct EngineParts<Key: StorageKey, Engine: Sendable>: PartPlace {
  let store: EngineStorage<Key, Engine>

  private var table: any StoreTable { store.storeTable }
  var clock: StorageClock { store.clock }
  var partSize: Int { table.partSize }

  func checkLength(_ length: Int, _ key: Key) throws {
    try store.explaining("store the entry", key) { try table.refuseTooLong(length, key.storageKey) }
  }

  func bytes(_ numbers: Range<Int>, of value: DividedValue, _ key: Key) async throws -> Data? {
    try await run("read the entry", key) { try $0.bytes(numbers, of: value) }
  }

  func has(_ key: Key, _ value: DividedValue) async throws -> Bool {
    try await run("read the entry", key) { table in
      if case .divided(value, _)? = try table.stored(key.storageKey) { true } else { false }
    }
  }

  func store(_ records: [Data], from number: Int, of id: ValueID, _ key: Key) async throws {
    try await run("store a part of the entry", key) { table in
      if number == 0 { try table.prepareParts() }
      try table.putParts(records, from: number, of: id)
    }
  }

  func commit(_ value: DividedValue, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool {
    let (text, expiry) = (try store.writable(key), store.resolved(expiry))
    let isStored = try await run("store the entry", key) {
      try $0.put(value, text, expiry, ifAbsent: ifAbsent)
    }
    if !isStored { return false }
    // The job keeps the store, and with it the engine, open until it has ended.
    store.pool.submit { [store] in
      do { try store.storeTable.reclaim(thoroughly: false) } catch {
        // The value is stored. The parts of the old one are removed after the next stream, or by a sweep.
      }
      withExtendedLifetime(store) {}
    }
    return true
  }

  func commit(_ value: Data, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool {
    let entry = (text: try store.writable(key), value: value, expiry: store.resolved(expiry))
    return try await run("store the entry", key) { table in
      try table.refuseTooLarge(entry)
      return try table.put(entry, ifAbsent: ifAbsent)
    }
  }

  func discard(_ id: ValueID, _ key: Key) async {
    let table = table
    // Also if the task is cancelled.
    await withCheckedContinuation { continuation in
      store.pool.submit {
        do { try table.removeParts(of: id) } catch {
          // A sweep removes parts whose writer has stopped.
        }
        continuation.resume()
      }
    }
  }

  func explained(_ error: StorageError, _ key: Key) -> any Error {
    error.with(key: error.key ?? key, place: error.place ?? store.place)
  }

  /// Runs `body` on a thread that may block, under the lease of the task.
  func run<R: Sendable>(
    _ aim: String, _ key: Key, _ body: @escaping @Sendable (any StoreTable) throws -> R
  ) async throws -> R {
    let lease = StorageLease.inForce
    return try await store.pool.run {
      try StorageLease.within(lease) {
        try store.explaining(aim, key) { try body(table) }
      }
    }
  }
}
