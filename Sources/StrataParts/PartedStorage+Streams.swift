#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

extension PartedStorage {
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard try how.mayRead() else { return try await streamInMemory(key, range, how) }
    guard let entry = try await unblocked({ try await base.read(key, how) }) else { return nil }
    switch try stored(entry.object, key) {
    case .whole(let data): return StoredBytes(data, range: range, expiry: entry.expiry)
    case .divided(let value): return value.bytes(range, entry.expiry, in: self, key)
    }
  }

  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    if sweeps.isDue(clock.now) { try await unblocked { try await sweep() } }
    return DividedWriter(self, key, expiry)
  }
}

extension PartedStorage: PartPlace {
  /// Runs `body`, which uses stores that may block, on a thread that may.
  private func unblocked<R: Sendable>(_ body: () async throws -> R) async throws -> R {
    mayBlock ? try await PoolExecutor.shared.run(body) : try await body()
  }

  package func bytes(_ numbers: Range<Int>, of value: DividedValue, _ key: Key) async throws -> Data? {
    try await unblocked { try await records(numbers, of: value, key) }
  }

  package func has(_ key: Key, _ value: DividedValue) async throws -> Bool {
    try await unblocked { try await divided(key) == value }
  }

  package func store(_ records: [Data], from number: Int, of id: ValueID, _ key: Key) async throws {
    try await unblocked { try await put(records, from: number, of: id, key) }
  }

  package func commit(_ value: DividedValue, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws
    -> Bool
  {
    try await unblocked {
      try await finish(value, key) { description in
        try await base.change(
          key, ifAbsent ? .setIfAbsent(description, expiry) : .set(description, expiry), [])
      }
    }
  }

  package func commit(_ value: Data, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool {
    try await unblocked {
      try await change(key, ifAbsent ? .setIfAbsent(value, expiry) : .set(value, expiry), [])
    }
  }

  package func discard(_ id: ValueID, _ key: Key) async {
    // Also if the task is cancelled.
    await Task { await removeStaged(id) }.value
  }

  package func explained(_ error: StorageError, _ key: Key) -> any Error {
    error.key == nil ? error.with(key: key) : error
  }
}
