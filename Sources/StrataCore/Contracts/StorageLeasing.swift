/// A source of leases of a store's keys, for the processes that share the store.
///
/// ```swift
/// if let leases = storage.leases, let lease = try await leases.acquire("report", for: .seconds(30)) {
///   try await lease.whileHeld { try await storage.setObject(ada, forKey: "report") }
///   try await leases.release(lease, of: "report")
/// }
/// ```
///
/// A store either conforms itself, or returns a conforming object from `StorageAware.leases`.
public protocol StorageLeasing<Key>: Sendable {
  /// The type of the keys that leases are granted for.
  associatedtype Key: Sendable

  /// Acquires the lease of a key for a time. Returns `nil` while another process or task holds it.
  func acquire(_ key: Key, for time: Duration) async throws -> StorageLease?
  /// Extends a lease for a time from now. Returns `false` if the lease had ended.
  func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool
  /// Ends a lease, if it has not ended.
  func release(_ lease: StorageLease, of key: Key) async throws
}

extension StorageAware {
  /// The leases of the innermost store that grants leases for keys of this type; `nil` if none does. Combinators need
  /// not forward them, unless they change the keys.
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
