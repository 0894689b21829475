#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension FaultyStorage {
  /// Returns the bytes of an entry, unless the call is made to fail. Each part that is read is a call too.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await pass()
    guard let bytes = try await inner.stream(key, range, how) else { return nil }
    return StoredBytes(
      length: bytes.length, range: bytes.range, expiry: bytes.expiry, version: bytes.version,
      modified: bytes.modified
    ) { range in
      var parts = bytes.reading(range).makeAsyncIterator()
      return {
        try await pass()
        return try await parts.next()
      }
    }
  }

  /// Returns a new value of the inner store, unless the call is made to fail. `append` and `commit` are calls too.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await pass()
    return FaultyBytes(base: try await inner.stage(key, expiry, how), store: self)
  }
}

/// A staged value whose calls may be made to fail.
private struct FaultyBytes<Inner: StorageAware>: StagedBytes {
  let base: any StagedBytes
  let store: FaultyStorage<Inner>

  func append(_ bytes: Data) async throws {
    try await store.pass()
    try await base.append(bytes)
  }

  func bytes(at offset: Int, count: Int) async throws -> Data? {
    try await base.bytes(at: offset, count: count)
  }

  func commit(ifAbsent: Bool) async throws -> Bool {
    try await store.pass()
    return try await base.commit(ifAbsent: ifAbsent)
  }

  func discard() async { await base.discard() }
}
