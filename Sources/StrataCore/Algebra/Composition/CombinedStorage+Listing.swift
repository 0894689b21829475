extension CombinedStorage {
  /// Returns the keys of both tiers without duplicates.
  @usableFromInline
  package func keys() async throws -> [Key] {
    let inBack = try await back.keys()
    // Other writers have removed the keys that only the front has.
    if coherence != nil { return inBack }
    let known = Set(inBack)
    return try await inBack + front.keys().filter { !known.contains($0) }
  }

  /// Returns a page of the back's keys or, after the last of these, of the keys that only the front has. Looks up each
  /// key of the front in the back, since a set of all of the back's keys might not fit into memory.
  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if coherence != nil { return try await back.keyPage(after: cursor, limit: limit) }
    let position = try ChainedPosition(cursor)
    switch position {
    case .first(let cursor): return position.page(try await back.keyPage(after: cursor, limit: limit))
    case .second(let cursor):
      let page = try await front.keyPage(after: cursor, limit: limit)
      let inBack = try await back.stored(page.keys)
      return position.page(page.replacingKeys { $0.filter { !inBack.contains($0) } })
    }
  }
}

extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
  /// Returns the keys of both tiers without duplicates.
  @usableFromInline
  package func keys() throws -> [Key] {
    let inBack = try back.keys()
    // Other writers have removed the keys that only the front has.
    if coherence != nil { return inBack }
    let known = Set(inBack)
    return try inBack + front.keys().filter { !known.contains($0) }
  }

  /// Returns a page of the back's keys or, after the last of these, of the keys that only the front has. Looks up each
  /// key of the front in the back, since a set of all of the back's keys might not fit into memory.
  @usableFromInline
  package func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if coherence != nil { return try back.keyPage(after: cursor, limit: limit) }
    let position = try ChainedPosition(cursor)
    switch position {
    case .first(let cursor): return position.page(try back.keyPage(after: cursor, limit: limit))
    case .second(let cursor):
      let page = try front.keyPage(after: cursor, limit: limit)
      let inBack = try back.stored(page.keys)
      return position.page(page.replacingKeys { $0.filter { !inBack.contains($0) } })
    }
  }
}
