extension AsyncObservedStorage: UpdateableStorage {
  /// Updates a value in the caller's turn, and as an atomic operation of the tiers if they have one: then no update is
  /// lost, whoever else writes them. Observers see one change, from the value that was replaced.
  @usableFromInline  // sync: @inlinable
  package func update(
    forKey key: Key, _ modify: (inout TypeWrapper) throws -> Void
  ) async throws -> TypeWrapper {
    if !updatesAtomically { return try await readModifyWrite(forKey: key, modify) }
    if observers.isEmpty { return try await updateInner(key, modify) }
    return try await updateObserved(key, modify)
  }

  @usableFromInline
  func updateObserved(
    _ key: Key, _ modify: (inout TypeWrapper) throws -> Void
  ) async throws -> TypeWrapper {
    let isWatched = observers.isWatched(key)
    var before: TypeWrapper?
    var after: TypeWrapper?
    do {
      let stored = try await updateInner(key) { wrapper in
        after = nil
        before = wrapper
        if observers.hasDoubts { settle(key, Entry(object: wrapper)) }
        try modify(&wrapper)
        after = wrapper
      }
      observers.record(
        .add(key: key), keys: isWatched ? [key: .edit(before: before, after: stored)] : [:])
      return stored
    } catch {
      // An absent value was not replaced, and a closure that throws has changed nothing.
      guard let after, error as? StorageError != .notFound else { throw error }
      throw await failedWrite(
        of: after, forKey: key, before: before.map { Entry(object: $0) }, error)
    }
  }

  /// Returns the value of a key that has not expired: the one that an update would replace.
  package func current(_ key: Key) async throws -> TypeWrapper {
    if !updatesAtomically { return try await entryToChange(forKey: key).object }
    var seen: TypeWrapper?
    do {
      _ = try await updateInner(key) { wrapper in
        seen = wrapper
        throw Seen()
      }
    } catch is Seen {}
    guard let seen else { throw StorageError.notFound.with(key: key) }
    return seen
  }

  /// Replaces a value if it still has the bytes that it had when it was read. Its expiry does not change.
  package func replace(_ seen: TypeWrapper, with new: TypeWrapper, forKey key: Key) async throws -> Bool {
    do {
      _ = try await update(forKey: key) { wrapper in
        guard try wrapper === seen || wrapper.data() == seen.data() else { throw Seen() }
        wrapper = new
      }
      return true
    } catch is Seen {
      return false
    } catch StorageError.notFound {
      return false
    }
  }
}
