package import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RecoveredStorage: StreamLink {
  /// Opens a value, or the recovered one, which is in memory.
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    let recovered: Entry<Value>?
    do {
      let bytes = try await base.stream(key, range, how)
      if let bytes, bytes.isLive(by: clock) { return bytes }
      recovered = try await recoveredAbsence(of: key)
    } catch {
      try recovery.throwUnlessRecoverable(error)
      recovered = try await Entry(object: recovery.value(after: error, forKey: key))
    }
    return try recovered.map { StoredBytes(try bytes(of: $0.object, key), range: range) }
  }
}

extension PushingStorage: StreamLink {
  /// Stages a value in both stores. It is committed in the back first.
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    let expiry = expiry?.resolved(by: clock)
    let behind = try await back.stage(key, expiry, [])
    do {
      return try await PushedBytes(
        store: self, key: key, front: base.stage(key, expiry, how.staging), back: behind)
    } catch {
      await behind.discard()
      throw error
    }
  }
}

/// A value that is staged in two stores.
private struct PushedBytes<Front: StorageAware, Back: StorageAware>: StagedBytes
where Front.Key == Back.Key, Front.Value == Back.Value {
  let store: PushingStorage<Front, Back>
  let key: Front.Key
  let front: any StagedBytes
  let back: any StagedBytes

  func append(_ bytes: Data) async throws {
    try await back.append(bytes)
    try await front.append(bytes)
  }

  func bytes(at offset: Int, count: Int) async throws -> Data? {
    try await front.bytes(at: offset, count: count)
  }

  func commit(ifAbsent: Bool) async throws -> Bool {
    try await store.order.suspendingTurn(of: key) {
      if ifAbsent, try await store.base.objectExists(forKey: key) { return false }
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
