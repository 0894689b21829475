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
///     entries: { try await store.entries(forKeys: $0) },
///     setObjects: { try await store.setObjects($0, expiry: $1) },
///     removeObjects: { try await store.removeObjects(forKeys: $0) })
/// }
/// ```
public struct AwaitedCalls: Sendable {
  let expiryIfPresent: @Sendable (String) async throws -> Expiry?
  let removeInMemoryObject: @Sendable (String) async throws -> Void
  let entries: @Sendable ([String]) async throws -> [String: Entry<Data>]
  let setObjects: @Sendable ([String: Data], Expiry?) async throws -> Void
  let removeObjects: @Sendable ([String]) async throws -> Void

  /// Creates the calls. Each closure calls the function of its name with `await`: the functions that have a default in
  /// `StorageAware`.
  public init(
    expiryIfPresent: @escaping @Sendable (String) async throws -> Expiry?,
    removeInMemoryObject: @escaping @Sendable (String) async throws -> Void,
    entries: @escaping @Sendable ([String]) async throws -> [String: Entry<Data>],
    setObjects: @escaping @Sendable ([String: Data], Expiry?) async throws -> Void,
    removeObjects: @escaping @Sendable ([String]) async throws -> Void
  ) {
    self.expiryIfPresent = expiryIfPresent
    self.removeInMemoryObject = removeInMemoryObject
    self.entries = entries
    self.setObjects = setObjects
    self.removeObjects = removeObjects
  }
}

/// A store whose operations with a default are called through `AwaitedCalls`.
struct AwaitedStore: StorageAware {
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

  func expiryIfPresent(forKey key: String) async throws -> Expiry? { try await calls.expiryIfPresent(key) }
  func removeInMemoryObject(forKey key: String) async throws { try await calls.removeInMemoryObject(key) }
  func entries(forKeys keys: [String]) async throws -> [String: Entry<Data>] { try await calls.entries(keys) }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) async throws {
    try await calls.setObjects(objects, expiry)
  }
  func removeObjects(forKeys keys: [String]) async throws { try await calls.removeObjects(keys) }
}
