#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

/// Leases of keys, for all machines that share the table. Each lease is a row that expires by the server's clock.
///
/// An advisory lock would keep a connection for each lease, and a pooler in transaction mode would drop it. The row's
/// key begins with the byte FF, which distinguishes it from entries.
extension PostgresStorage: StorageLeasing {
  /// The store itself, which issues the leases.
  public var leases: (any StorageLeasing<Key>)? { self }

  /// Acquires the lease of a key, in one round trip. Returns `nil` while another machine holds it.
  public func acquire(_ key: Key, for time: Duration) async throws -> StorageLease? {
    do {
      let lease = StorageLease(issuer: self)
      let rows = try await run(table.acquire) { append(lease, key, time, to: &$0) }
      return rows.changed > 0 ? lease : nil
    } catch { throw client.explained(error, "acquire the lease", key) }
  }

  /// Extends a lease to `time` from now, in one round trip. Returns `false` if it had expired.
  public func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool {
    do {
      return try await run(table.extend) { append(lease, key, time, to: &$0) }.changed > 0
    } catch { throw client.explained(error, "extend the lease", key) }
  }

  /// Releases a lease, in one round trip. Has no effect if another machine has acquired the lease since.
  public func release(_ lease: StorageLease, of key: Key) async throws {
    do {
      _ = try await run(table.release) {
        $0.append(RowKey(key).lease.bytes)
        $0.append("\(lease.token)".utf8)
      }
    } catch { throw client.explained(error, "release the lease", key) }
  }

  /// Stores bytes if a lease is still held. The row of the lease is locked meanwhile, so that no other machine can
  /// acquire it.
  func set(_ object: Data, _ key: Key, _ expiry: Expiry, under lease: StorageLease) async throws {
    let rows = try await run(table.writeUnderLease) {
      append(object, key, expiry, to: &$0)
      $0.append(RowKey(key).lease.bytes)
      $0.append("\(lease.token)".utf8)
    }
    if rows.changed == 0 { throw StorageError.leaseLost }
  }

  private func append(_ lease: StorageLease, _ key: Key, _ time: Duration, to parameters: inout Parameters) {
    parameters.append(RowKey(key).lease.bytes)
    parameters.append("\(lease.token)".utf8)
    parameters.append(max(Int(time / .microseconds(1)), 1))
  }
}
