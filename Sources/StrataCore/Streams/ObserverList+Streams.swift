extension ObserverList {
  /// Returns a staged value whose commit is recorded.
  ///
  /// Observers of the key get whole values, so a value that is observed is read into memory. After a failed commit,
  /// observers may be told of a write that has not taken effect.
  func recording(
    _ staged: any StagedBytes, _ key: Key, in store: some StorageAware<Key, TypeWrapper>
  ) -> any StagedBytes {
    @Sendable func read() async -> TypeWrapper? {
      do {
        return try await store.read(key, []).liveObject(by: store.clock)
      } catch {
        // A failed read must not prevent the change.
        return nil
      }
    }
    return LinkedBytes(staged) { commit in
      if self.isEmpty { return try await commit() }
      let isWatched = self.isWatched(key)
      let before = isWatched ? await read() : nil
      let result = await Result(of: commit)
      if case .success(false) = result { return false }
      let after = isWatched ? await read() : nil
      self.record(.add(key: key), keys: after.map { [key: .edit(before: before, after: $0)] } ?? [:])
      return try result.get()
    }
  }
}

extension ObservedStorage {
  @usableFromInline
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await inner.stream(key, range, how)
  }

  @usableFromInline
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await observers.recording(inner.stage(key, expiry, how), key, in: self)
  }
}

extension AsyncObservedStorage {
  @usableFromInline
  package func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await inner.stream(key, range, how)
  }

  @usableFromInline
  package func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await observers.recording(inner.stage(key, expiry, how), key, in: self)
  }
}
