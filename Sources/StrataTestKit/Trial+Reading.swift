#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// Reads a key in every possible way. Throws `BrokenPromise` unless each way returns the value; `nil` stands for an
  /// absent one.
  func expect(_ value: Data?, at key: String, in store: Store, _ circumstances: String) async throws {
    // The peek comes first, since a read would update the cache.
    if let peeked = store.peek(forKey: key), !peeked.expiry.isExpired(by: store.clock) {
      try expect(peeked.object, value, "peek", key, circumstances)
    }
    if let store = store as? any SyncStorageAware<String, Data> {
      try expectCached(value, at: key, in: store, circumstances)
    }
    let entry = try await store.entryIfPresent(forKey: key)
    // `entry` may return an expired entry, which does not count as a value.
    let valid = entry.flatMap { $0.expiry.isExpired(by: store.clock) ? nil : $0.object }
    try expect(valid, value, "entryIfPresent", key, circumstances)
    try expect(try await store.objectIfPresent(forKey: key), value, "objectIfPresent", key, circumstances)
    try expect(try await present { try await store.object(forKey: key) }, value, "object", key, circumstances)
    try expect(
      try await present { try await store.retrieve(forKey: key) }, value, "retrieve", key, circumstances)
    let many = try await store.entries(forKeys: [key])[key]
    let validOfMany = many.flatMap { $0.expiry.isExpired(by: store.clock) ? nil : $0.object }
    try expect(validOfMany, value, "entries(forKeys:)", key, circumstances)
    let exists = try await store.objectExists(forKey: key)
    try expect(
      exists == (value != nil),
      "\(circumstances), objectExists answers \(exists) for the key \(shown(key)), which holds \(shown(value))"
    )
    let expiry = try await store.expiryIfPresent(forKey: key)
    try expect(
      (expiry.map { !$0.isExpired(by: store.clock) } ?? false) == (value != nil),
      "\(circumstances), expiryIfPresent answers \(shown(expiry)) for the key \(shown(key)), which holds \(shown(value))"
    )
  }

  /// Throws `BrokenPromise` unless a cached read of the key returns the value or `.unknown`; `nil` stands for an absent
  /// one.
  private func expectCached(
    _ value: Data?, at key: String, in store: some SyncStorageAware<String, Data>, _ circumstances: String
  ) throws {
    do {
      let entry = try store.cachedEntry(forKey: key).get()
      let valid = entry.flatMap { $0.expiry.isExpired(by: store.clock) ? nil : $0.object }
      try expect(valid, value, "cachedEntry", key, circumstances)
    } catch is WouldWait {}
    do {
      let expiry = try store.cachedExpiry(forKey: key).get()
      try expect(
        (expiry.map { !$0.isExpired(by: store.clock) } ?? false) == (value != nil),
        "\(circumstances), cachedExpiry answers \(shown(expiry)) for the key \(shown(key)), which holds \(shown(value))"
      )
    } catch is WouldWait {}
  }

  /// Returns the value of a key that has not expired, from the cache if it is available there without waiting.
  func objectWithoutWaiting(forKey key: String, in store: Store) async throws -> Data? {
    guard let sync = store as? any SyncStorageAware<String, Data> else {
      return try await store.objectIfPresent(forKey: key)
    }
    do {
      let entry = try sync.cachedEntry(forKey: key).get()
      return entry.flatMap { $0.expiry.isExpired(by: store.clock) ? nil : $0.object }
    } catch {
      return try await store.objectIfPresent(forKey: key)
    }
  }

  /// Stores a value if the store can do so without waiting. Returns whether it was stored.
  func setAtOnce(_ value: Data, forKey key: String, in store: Store) async throws -> Bool {
    guard let sync = store as? any SyncStorageAware<String, Data> else { return false }
    return try sync.setObjectAtOnce(value, forKey: key, expiry: nil)
  }

  /// Throws `BrokenPromise` unless the result is the expected value.
  func expect(_ found: Data?, _ value: Data?, _ way: String, _ key: String, _ circumstances: String) throws {
    try expect(
      found == value,
      "\(circumstances), \(way) gives \(shown(found)) for the key \(shown(key)), and not \(shown(value))")
  }

  /// Throws `BrokenPromise` unless `keys()` lists exactly the expected keys, each once.
  func expectKeys(_ expected: some Collection<String>, in store: Store, _ circumstances: String) async throws
  {
    let listed = try await store.keys()
    let (found, expected) = (Set(listed), Set(expected))
    let missing = expected.subtracting(found)
    let extra = found.subtracting(expected)
    try expect(
      missing.isEmpty,
      "\(circumstances), keys() lacks \(missing.count) of \(expected.count), among them \(shown(missing.min() ?? ""))"
    )
    try expect(
      extra.isEmpty,
      "\(circumstances), keys() lists \(extra.count) too many, among them \(shown(extra.min() ?? ""))")
    try expect(listed.count == found.count, "\(circumstances), keys() lists a key twice")
  }

  private func present(_ read: () async throws -> Data) async throws -> Data? {
    do { return try await read() } catch StorageError.notFound { return nil }
  }
}

/// Returns a key in a form for messages.
func shown(_ key: String) -> String {
  if key.unicodeScalars.count <= 60 { return String(reflecting: key) }
  return "\(String(reflecting: String(key.unicodeScalars.prefix(40))))… (\(key.utf8.count) bytes)"
}

/// Returns a value in a form for messages.
func shown(_ value: Data?) -> String {
  guard let value else { return "nothing" }
  let head = value.prefix(16).map { String($0, radix: 16) }.joined(separator: " ")
  return "\(value.count) bytes [\(head)\(value.count > 16 ? " …" : "")]"
}

/// Returns an expiry in a form for messages.
func shown(_ expiry: Expiry?) -> String { expiry.map { "\($0)" } ?? "nothing" }
