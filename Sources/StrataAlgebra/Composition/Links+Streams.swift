package import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RecoveredStorage {
  /// Opens a value, or the recovered one, which is in memory.
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    let recovered: Entry<Value>?
    do {
      let bytes = try await base.stream(key, range, how)
      if let bytes, !bytes.expiry.isExpired(by: clock) { return bytes }
      recovered = try await recoveredAbsence(of: key)
    } catch {
      try recovery.throwUnlessRecoverable(error)
      recovered = try await Entry(object: recovery.value(after: error, forKey: key))
    }
    return try recovered.map { StoredBytes(try bytes(of: $0.object, key), range: range) }
  }
}

extension PushingStorage {
  /// Stages a value in both stores. It is committed in the back first.
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    let expiry = expiry?.resolved(by: clock)
    let behind = try await back.stage(key, expiry, [])
    do {
      return try await PushedBytes(front: base.stage(key, expiry, []), back: behind) { commit in
        try await order.suspendingTurn(of: key, commit)
      } isAbsent: {
        try await !base.objectExists(forKey: key)
      }
    } catch {
      await behind.discard()
      throw error
    }
  }
}

/// A value that is staged in two stores.
private struct PushedBytes: StagedBytes {
  let front: any StagedBytes
  let back: any StagedBytes
  let ordered: @Sendable (_ commit: () async throws -> Bool) async throws -> Bool
  let isAbsent: @Sendable () async throws -> Bool

  func append(_ bytes: Data) async throws {
    try await back.append(bytes)
    try await front.append(bytes)
  }

  func bytes(at offset: Int, count: Int) async throws -> Data? {
    try await front.bytes(at: offset, count: count)
  }

  func commit(ifAbsent: Bool) async throws -> Bool {
    try await ordered {
      if ifAbsent, try await !isAbsent() { return false }
      try await back.commit(ifAbsent: false)
      return try await finishing { try await front.commit(ifAbsent: false) }
    }
  }

  func discard() async {
    await back.discard()
    await front.discard()
  }
}

extension UnwrittenTier {
  /// Returns a value that is never stored.
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    stageInMemory(key, expiry, how)
  }
}
