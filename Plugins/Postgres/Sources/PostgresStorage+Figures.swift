extension PostgresStorage {
  /// Returns the server's figures of the table: the columns of `pg_stat_user_tables`, such as `n_live_tup`, the
  /// approximate number of rows, and `bytes`, its size with its indexes.
  ///
  /// The server counts all clients, and adds the counts of a busy connection about once a second.
  ///
  /// ```swift
  /// let figures = try await sessions.figures()
  /// print(figures["n_live_tup"] ?? 0, figures["bytes"] ?? 0)
  /// ```
  public func figures() async throws -> [String: Int] {
    do {
      let columns = [
        "seq_scan", "seq_tup_read", "idx_scan", "idx_tup_fetch", "n_tup_ins", "n_tup_upd", "n_tup_del",
        "n_live_tup", "n_dead_tup",
      ]
      let rows = try await run(
        Query(
          "SELECT \(columns.joined(separator: ", ")), pg_total_relation_size(relid) FROM pg_stat_user_tables "
            + "WHERE relid = \(literal(table.quoted))::regclass", isRead: true)
      ) { _ in }
      if rows.count == 0 { return [:] }
      return (columns + ["bytes"]).enumerated().reduce(into: [:]) { figures, column in
        if let number = rows.integer(0, column.offset) { figures[column.element] = Int(number) }
      }
    } catch { throw client.explained(error, "read the table's figures") }
  }
}
