// sync: extension CombinedStorage where Front: SyncStorageAware, Back: SyncStorageAware {
extension CombinedStorage {
  /// Returns a page of the keys of the back, or of those that only the front has. For a page with a limit, the back is
  /// asked for each key of the front: a set of all its keys might not fit into memory.
  @usableFromInline
  package func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    // Other writers have removed the keys that only the front has.
    if coherence != nil { return try await back.list(after: cursor, limit: limit) }
    if cursor == nil, limit == .max {
      let inBack = try await back.keys()
      let known = Set(inBack)
      return KeyPage(keys: try await inBack + front.keys().filter { !known.contains($0) }, next: nil)
    }
    let position = try ChainedPosition(cursor)
    switch position {
    case .first(let cursor): return position.page(try await back.list(after: cursor, limit: limit))
    case .second(let cursor):
      let page = try await front.list(after: cursor, limit: limit)
      let inBack = try await back.stored(page.keys)
      return position.page(page.replacingKeys { $0.filter { !inBack.contains($0) } })
    }
  }
}
