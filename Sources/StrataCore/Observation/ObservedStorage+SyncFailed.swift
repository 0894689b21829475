// Generated from ObservedStorage+AsyncFailed.swift by `make twins`.
// A change that fails may be in force all the same: if a tier in front fails, the last tier has made it already, and a
// server may have made the change of a cancelled task. Observers receive such a change too, as soon as a read shows it.
extension ObservedStorage {
  /// Records the write of a value if it has failed and the value is stored. Returns the error to throw.
  @usableFromInline
  func failedWrite(
    of object: TypeWrapper, forKey key: Key, before: Entry<TypeWrapper>?, _ error: any Error
  ) -> any Error {
    if observers.isEmpty { return error }
    // The failed write has dropped a value that only the front had.
    if before.isLive(by: clock) { observers.doubt(.remove, of: key, mayBeHidden: mayBeHidden(error)) }
    observers.doubt(edit(before, object), of: key, mayBeHidden: mayBeHidden(error))
    readForObservers(key)
    return error
  }

  /// Records the removals of keys that had entries, if the removal has failed and the entries are gone. Returns the
  /// error to throw.
  func failedRemoval(of existing: [Key], _ error: any Error) -> any Error {
    for key in existing {
      observers.doubt(.remove, of: key, mayBeHidden: mayBeHidden(error))
      readForObservers(key)
    }
    return error
  }

  /// Records a failed removal of all entries: as a whole if no entry is left, and otherwise the removals of observed
  /// keys whose entries are gone. Returns the error to throw.
  func failedRemoval(ofAll removed: [Key: KeyEvent], _ error: any Error) -> any Error {
    if observers.isEmpty { return error }
    if readable({ try finishing { try hasNoKeys() } }) == true {
      observers.record(.removeAll, keys: removed)
      return error
    }
    for key in removed.keys {
      // If only the front has failed, it keeps entries that the back no longer has.
      observers.doubt(.remove, of: key, mayBeHidden: true)
      readForObservers(key)
    }
    return error
  }

  private func hasNoKeys() throws -> Bool {
    var page = try inner.list(after: nil, limit: 1)
    while page.keys.isEmpty, let next = page.next { page = try inner.list(after: next, limit: 1) }
    return page.keys.isEmpty
  }

  /// Records the removals of expired entries that a failed sweep has removed. Returns the error to throw.
  func failedSweep(of expired: [Key: KeyEvent], _ error: any Error) -> any Error {
    for key in expired.keys {
      let expiry = readable { try finishing { try inner.expiryIfPresent(forKey: key) } }
      if expiry == .some(.none) { observers.record(.remove(key: key), keys: [key: .remove]) }
    }
    return error
  }

  /// Reads a key, even if the task is cancelled. This ends the doubts about its failed changes, unless the read fails.
  private func readForObservers(_ key: Key) {
    _ = readable { try finishing { try entryIfPresent(forKey: key) } }
  }

  private func mayBeHidden(_ error: any Error) -> Bool {
    (error as? StorageError)?.leavesOutdatedEntry ?? false
  }

  /// Returns whether there is an entry to remove, even if the task is cancelled. An entry that cannot be read counts as
  /// one.
  func exists(_ key: Key) -> Bool {
    let isInDoubt = observers.isInDoubt(key)
    let expiry = readable {
      try finishing {
        // A read of the entry ends doubts about it, one of the expiry does not.
        if isInDoubt { return try entryIfPresent(forKey: key)?.expiry }
        return try inner.expiryIfPresent(forKey: key)
      }
    }
    return expiry.map { kept($0) != nil } ?? true
  }
}
