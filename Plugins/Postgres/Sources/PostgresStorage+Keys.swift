public import StrataCore

extension PostgresStorage {
  /// Returns at most `limit` keys of entries that have not expired after a cursor, in the order of the primary key.
  /// Keys that the key type cannot decode are omitted.
  ///
  /// A page has at most 5000 keys. Entries stored or removed meanwhile may or may not be listed.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    do {
      let last = try cursor?.position(as: [UInt8].self)
      let limit = min(max(limit, 1), 5000)
      let rows = try await run(last == nil ? table.firstPage : table.nextPage) {
        $0.appendNow(clock)
        $0.append(limit)
        if let last { $0.append(last) }
      }
      let count = rows.count
      let keys = (0..<count).compactMap { row in
        // A key that is too long for the index has its text in the second column.
        (rows.withBytes(row, 1, { Self.key($0) }) ?? rows.withBytes(row, 0, { Self.key($0) })) ?? nil
      }
      let next = count < limit ? nil : rows.withBytes(count - 1, 0) { KeyCursor([UInt8]($0)) }
      return KeyPage(keys: keys, next: next)
    } catch { throw client.explained(error, "list the entries") }
  }
}
