// Generated from ObservedStorage+AsyncFailed.swift by `make twins`.
// A change that fails may be in force all the same: if a tier in front fails, the last tier has made it already, and a
// server may have made the change of a cancelled task. Observers receive such a change too.
extension ObservedStorage {
  /// Records the write of a value if it has failed and the value is stored. Returns the error to throw.
  @usableFromInline
  func failedWrite(
    of object: TypeWrapper, forKey key: Key, before: Entry<TypeWrapper>?, _ error: any Error
  ) -> any Error {
    if observers.isEmpty { return error }
    let isStored = readable {
      let entry = try finishing { try inner.entryIfPresent(forKey: key) }
      guard let entry, isLive(entry.expiry) else { return false }
      return try entry.object === object || entry.object.data() == object.data()
    }
    if isStored == true {
      observers.record(
        .add(key: key), keys: observers.isWatched(key) ? [key: edit(before, object)] : [:])
    }
    return error
  }

  /// Records the removals of keys that had entries, if the removal has failed and the entries are gone. Returns the
  /// error to throw.
  func failedRemoval(of existing: [Key], _ error: any Error) -> any Error {
    for key in existing {
      // An entry that cannot be read counts as present.
      if exists(key) { continue }
      observers.record(.remove(key: key), keys: [key: .remove])
    }
    return error
  }
}
