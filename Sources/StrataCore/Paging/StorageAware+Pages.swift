extension StorageAware {
  /// Returns the keys of all entries that have not expired, in pages, as an asynchronous sequence of arrays.
  ///
  /// Memory use does not grow with the number of keys. A key that is stored during the whole iteration is returned
  /// once. A key that is stored or removed meanwhile may or may not be returned. No page is empty.
  ///
  /// ```swift
  /// for try await keys in users.keyPages() { try await users.removeObjects(forKeys: keys.filter(isOld)) }
  /// ```
  public func keyPages(limit: Int = 1000) -> KeyPages<Key> {
    KeyPages { [self] in try await list(after: $0, limit: limit) }
  }

  /// Returns the same as `keyPages(limit:)`.
  public func keyPages(of size: Int) -> KeyPages<Key> { keyPages(limit: size) }

  /// Returns all entries that have not expired, in pages, as an asynchronous sequence of dictionaries.
  ///
  /// Each page is read by one `entries(forKeys:)`. At most `limit` entries are in memory at a time. No page is empty.
  public func entryPages(limit: Int = 100) -> EntryPages<Key, Value> {
    EntryPages(keyPages(limit: limit)) { [self] keys in
      let clock = clock
      return try await read(keys, []).filter { $0.value.isLive(by: clock) }
    }
  }

  /// Returns the keys of all entries that have not expired, one by one, as an asynchronous sequence.
  ///
  /// The keys are read in pages; see `keyPages(limit:)`.
  ///
  /// ```swift
  /// for try await key in users.keySequence() { print(key) }
  /// ```
  public func keySequence(pageSize: Int = 1000) -> PagedSequence<KeyPages<Key>> {
    PagedSequence(keyPages(limit: pageSize))
  }

  /// Returns all entries that have not expired, one by one, as an asynchronous sequence.
  ///
  /// The entries are read in pages; see `entryPages(limit:)`.
  ///
  /// ```swift
  /// for try await (id, user) in users.entrySequence() { report(id, user.object) }
  /// ```
  public func entrySequence(pageSize: Int = 100) -> PagedSequence<EntryPages<Key, Value>> {
    PagedSequence(entryPages(limit: pageSize))
  }
}
