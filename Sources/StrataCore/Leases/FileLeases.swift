#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Leases of keys among the processes of one machine, by locks on a file beside a store.
///
/// A lock ends with its process, so the lease of a killed process can be acquired at once. A stopped process keeps its
/// lock but does not extend its lease: when the lease ends, another process acquires it, and writes under the old one
/// are refused.
///
/// Each key has one of 2¹⁸ slots, chosen by its hash. Two keys with the same slot wait for each other needlessly. The
/// file is up to 8 MB long, and only slots that were used take space on the disk.
package final class FileLeases<Key: StorageKey>: StorageLeasing {
  private let path: @Sendable () throws -> String
  private let scope: String
  private let now: @Sendable () -> UInt64
  /// The files of the leases that this object has granted, each with its locks.
  private let held = Locked<[UInt64: LeaseFile]>([:])

  /// - Parameters:
  ///   - path: the path of the file, which the first lease creates.
  ///   - scope: distinguishes the keys of this store from the keys of other stores with the same file.
  ///   - now: returns the nanoseconds of a clock that all processes share.
  package init(
    scope: String = "", now: @escaping @Sendable () -> UInt64 = { monotonicNanoseconds() },
    path: @escaping @Sendable () throws -> String
  ) {
    self.path = path
    self.scope = scope
    self.now = now
  }

  package func acquire(_ key: Key, for time: Duration) async throws -> StorageLease? {
    let file = try LeaseFile(path(), place: place(of: key))
    let token = UInt64.random(in: 1 ... .max)
    guard try file.take(token, at: now(), for: time.nanoseconds) else { return nil }
    held.withLock { $0[token] = file }
    return StorageLease(token: token, issuer: self) { try file.read().owner == token }
  }

  package func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool {
    guard let file = held.withLock({ $0[lease.token] }) else { return false }
    return try file.extend(lease.token, to: now() + time.nanoseconds)
  }

  package func release(_ lease: StorageLease, of key: Key) async throws {
    try held.withLock { $0.removeValue(forKey: lease.token) }?.leave(lease.token)
  }

  /// Returns a hash that is the same in all processes.
  private func place(of key: Key) -> UInt64 {
    let hash = fnv1a(scope.utf8 + [0] + key.storageKey.canonicalUTF8)
    return (hash ^ hash >> 32) % LeaseFile.places
  }
}

/// Returns the nanoseconds of a monotonic clock that all processes of the machine share.
package func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension Duration {
  fileprivate var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
