// Generated from CombinedStorage+AsyncListing.swift by `make twins`.
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

  /// Returns a page of the keys of the back, or of those that only the front has. The back is asked for each key of
  /// the front: a set of all its keys might not fit into memory.
  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<Key> {
    if coherence != nil { return try back.list(after: cursor, limit: limit) }
    let position = try ChainedPosition(cursor)
    switch position {
    case .first(let cursor): return position.page(try back.list(after: cursor, limit: limit))
    case .second(let cursor):
      let page = try front.list(after: cursor, limit: limit)
      let inBack = try back.stored(page.keys)
      return position.page(page.replacingKeys { $0.filter { !inBack.contains($0) } })
    }
  }
}
