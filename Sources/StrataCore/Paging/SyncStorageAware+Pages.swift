extension SyncStorageAware {
  /// Calls `body` with the keys of all entries that have not expired, page by page.
  ///
  /// Memory use does not grow with the number of keys. A key that is stored during the whole iteration is passed once.
  /// A key that is stored or removed meanwhile may or may not be passed. No page is empty. `body` may use the store.
  ///
  /// ```swift
  /// try users.forEachKeyPage { keys in try users.removeObjects(forKeys: keys.filter(isOld)) }
  /// ```
  public func forEachKeyPage(limit: Int = 1000, _ body: ([Key]) throws -> Void) throws {
    var cursor: KeyCursor?
    repeat {
      let page = try list(after: cursor, limit: limit)
      if !page.keys.isEmpty { try body(page.keys) }
      cursor = page.next
    } while cursor != nil
  }

  /// Calls `body` with all entries that have not expired, page by page.
  ///
  /// Each page is read by one `entries(forKeys:)`. At most `limit` entries are in memory at a time. No page is empty.
  public func forEachEntryPage(limit: Int = 100, _ body: ([Key: Entry<Value>]) throws -> Void) throws {
    let clock = clock
    try forEachKeyPage(limit: limit) { keys in
      let found = try read(keys, []).filter { $0.value.isLive(by: clock) }
      if !found.isEmpty { try body(found) }
    }
  }
}
