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
  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await base.removeObject(forKey: key) }
  func removeAll() async throws { try await base.removeAll() }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [String] { try await base.keys() }
  func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try await base.keyPage(after: cursor, limit: limit)
  }

  func expiryIfPresent(forKey key: String) async throws -> Expiry? { try await calls.expiryIfPresent(key) }
  func removeInMemoryObject(forKey key: String) async throws { try await calls.removeInMemoryObject(key) }
  func entries(forKeys keys: [String]) async throws -> [String: Entry<Data>] { try await calls.entries(keys) }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) async throws {
    try await calls.setObjects(objects, expiry)
  }
  func setEntries(_ entries: [String: Entry<Data>]) async throws {
    guard let setEntries = calls.setEntries else { return try await base.setEntries(entries) }
    try await setEntries(entries)
  }
  func removeObjects(forKeys keys: [String]) async throws { try await calls.removeObjects(keys) }

  func replaceObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try await calls.replaceObject(object, key, expiry)
  }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) async throws -> Data {
    guard let update = calls.update else { throw NotPromised() }
    return try await update(key, modify)
  }
  func setIfAbsent(_ object: Data, forKey key: String, expiry: Expiry?) async throws -> Bool {
    guard let setIfAbsent = calls.setIfAbsent else { throw NotPromised() }
    return try await setIfAbsent(object, key, expiry)
  }
  func touch(forKey key: String, expiry: Expiry) async throws -> Bool {
    guard let touch = calls.touch else { throw NotPromised() }
    return try await touch(key, expiry)
  }
}
