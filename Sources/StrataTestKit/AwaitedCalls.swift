#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// The calls of a store as asynchronous code makes them: with `await`, on the store's own type.
///
/// In asynchronous code the compiler prefers an async function to a synchronous one, even a protocol's default to the
/// store's own function. Which function a call reaches depends on the static type of the store, so only the test can
/// write the call:
///
/// ```swift
/// let subject = Subject("MyStore") { place in
///   try MyStore(path: place.path)
/// } awaited: { store in
///   AwaitedCalls(
///     expiryIfPresent: { try await store.expiryIfPresent(forKey: $0) },
///     removeInMemoryObject: { try await store.removeInMemoryObject(forKey: $0) },
///     replaceObject: { try await store.replaceObject($0, forKey: $1, expiry: $2) },
///     entries: { try await store.entries(forKeys: $0) },
///     setObjects: { try await store.setObjects($0, expiry: $1) },
///     removeObjects: { try await store.removeObjects(forKeys: $0) },
///     setEntries: { try await store.setEntries($0) })
/// }
/// ```
public struct AwaitedCalls: Sendable {
  let expiryIfPresent: @Sendable (String) async throws -> Expiry?
  let removeInMemoryObject: @Sendable (String) async throws -> Void
  let replaceObject: @Sendable (Data, String, Expiry?) async throws -> Void
  let entries: @Sendable ([String]) async throws -> [String: Entry<Data>]
  let setObjects: @Sendable ([String: Data], Expiry?) async throws -> Void
  let removeObjects: @Sendable ([String]) async throws -> Void
  let setEntries: (@Sendable ([String: Entry<Data>]) async throws -> Void)?
  let update: Update?
  let setIfAbsent: (@Sendable (Data, String, Expiry?) async throws -> Bool)?
  let touch: (@Sendable (String, Expiry) async throws -> Bool)?

  /// A call of `update`.
  public typealias Update = @Sendable (String, (inout Data) throws -> Void) async throws -> Data

  /// Creates the calls. Each closure calls the store's function of the same name with `await`. The first ones are
  /// functions with a default in `StorageAware`; the last three are only needed for a store with synchronous and
  /// asynchronous forms of them.
  public init(
    expiryIfPresent: @escaping @Sendable (String) async throws -> Expiry?,
    removeInMemoryObject: @escaping @Sendable (String) async throws -> Void,
    replaceObject: @escaping @Sendable (Data, String, Expiry?) async throws -> Void,
    entries: @escaping @Sendable ([String]) async throws -> [String: Entry<Data>],
    setObjects: @escaping @Sendable ([String: Data], Expiry?) async throws -> Void,
    removeObjects: @escaping @Sendable ([String]) async throws -> Void,
    setEntries: (@Sendable ([String: Entry<Data>]) async throws -> Void)? = nil,
    update: Update? = nil,
    setIfAbsent: (@Sendable (Data, String, Expiry?) async throws -> Bool)? = nil,
    touch: (@Sendable (String, Expiry) async throws -> Bool)? = nil
  ) {
    self.expiryIfPresent = expiryIfPresent
    self.removeInMemoryObject = removeInMemoryObject
    self.replaceObject = replaceObject
    self.entries = entries
    self.setObjects = setObjects
    self.removeObjects = removeObjects
    self.setEntries = setEntries
    self.update = update
    self.setIfAbsent = setIfAbsent
    self.touch = touch
  }
}

/// A store whose operations are called through `AwaitedCalls`.
struct AwaitedStore: UpdateableStorage, ConditionalStorage {
  let base: any StorageAware<String, Data>
  let calls: AwaitedCalls

  var clock: StorageClock { base.clock }
  func peek(forKey key: String) -> Entry<Data>? { base.peek(forKey: key) }
  func read(_ key: String, _ how: How) async throws -> Entry<Data>? {
    if how == .expiryOnly { return try await calls.expiryIfPresent(key).map { Entry(expiry: $0) } }
    return try await base.read(key, how)
  }
  func read(_ keys: [String], _ how: How) async throws -> [String: Entry<Data>] {
    try await calls.entries(keys)
  }
  func change(_ key: String, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    switch change.kind {
    case .set, .remove: return try await base.change(key, change, how)
    case .replace(let expiry): try await calls.replaceObject(change.object, key, expiry)
    case .forget: try await calls.removeInMemoryObject(key)
    case .setIfAbsent(let expiry):
      guard let setIfAbsent = calls.setIfAbsent else { throw NotPromised() }
      return try await setIfAbsent(change.object, key, expiry)
    case .touch(let expiry):
      guard let touch = calls.touch else { throw NotPromised() }
      return try await touch(key, expiry)
    }
    return true
  }
  func change(_ batch: StoreBatch<String, Data>, _ how: How) async throws {
    switch batch {
    case .set(let objects, let expiry): try await calls.setObjects(objects, expiry)
    case .setEntries(let entries):
      guard let setEntries = calls.setEntries else { return try await base.change(batch, how) }
      try await setEntries(entries)
    case .remove(let keys): try await calls.removeObjects(keys)
    }
  }
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try await base.list(after: cursor, limit: limit)
  }
  func clear(_ extent: StoreExtent) async throws { try await base.clear(extent) }

  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    guard let update = calls.update else { throw NotPromised() }
    return try await update(key, modify)
  }
}
