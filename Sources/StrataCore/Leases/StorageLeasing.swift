/// What grants the leases of a store's keys to all processes that share it.
///
/// ```swift
/// if let leases = storage.leases, let lease = try await leases.acquire("report", for: .seconds(30)) {
///   try await lease.whileHeld { try await storage.setObject(ada, forKey: "report") }
///   try await leases.release(lease, of: "report")
/// }
/// ```
///
/// A store adopts it, or has an object that does, and returns that from `StorageAware.leases`.
public protocol StorageLeasing<Key>: Sendable {
  /// What a lease is for.
  associatedtype Key: Sendable

  /// Takes the lease of a key for a time; `nil` while somebody else has it.
  func acquire(_ key: Key, for time: Duration) async throws -> StorageLease?
  /// Lets a lease last for a time from now on. Returns `false` if it had ended.
  func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool
  /// Ends a lease, if it has not ended.
  func release(_ lease: StorageLease, of key: Key) async throws
}

extension StorageAware {
  /// The leases of the last store below that grants any for keys of this type; `nil` if none does. Links need not pass
  /// them on, unless they change the keys.
  public var leases: (any StorageLeasing<Key>)? {
    for below in wrappedStorages.reversed() {
      if let below = below as? any StorageAware, let leases = below.leases(of: Key.self) { return leases }
    }
    return nil
  }

  fileprivate func leases<Other>(of type: Other.Type) -> (any StorageLeasing<Other>)? {
    leases as? any StorageLeasing<Other>
  }
}

/// Leases of a store by other keys.
struct MappedLeases<Inner: Sendable, Key: Sendable>: StorageLeasing {
  let base: any StorageLeasing<Inner>
  let inner: @Sendable (Key) throws -> Inner

  func acquire(_ key: Key, for time: Duration) async throws -> StorageLease? {
    try await base.acquire(try inner(key), for: time)
  }
  func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool {
    try await base.extend(lease, of: try inner(key), for: time)
  }
  func release(_ lease: StorageLease, of key: Key) async throws {
    try await base.release(lease, of: try inner(key))
  }
}
