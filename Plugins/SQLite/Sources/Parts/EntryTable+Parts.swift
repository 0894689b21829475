/// The tables for values in parts, which are created with the first of them.
///
/// A blob of SQLite has at most a billion bytes, and cannot grow. So the parts of a value are rows.
extension EntryTable {
  /// Creates the tables, and triggers that note which parts belong to no row any more, whichever program has replaced
  /// or deleted it.
  var partsCreation: String {
    let disown = "UPDATE \"$_values\" SET written = NULL, key = NULL WHERE id = \(PartsExpiry.id("old"))"
    return sql(
      """
      CREATE TABLE IF NOT EXISTS "$_parts" (
        -- Parts of values that were written as streams; "$_values" says to whom they belong.
        id     TEXT NOT NULL,
        number INTEGER NOT NULL,
        bytes  BLOB NOT NULL,         -- 8 bytes of checksum, then the bytes of the value
        PRIMARY KEY (id, number)
      );
      CREATE TABLE IF NOT EXISTS "$_values" (
        id      TEXT PRIMARY KEY,
        written REAL,                 -- while the value is being written: the time of the last part
        key     TEXT                  -- later: the key of its row. Without both, the parts are to be deleted.
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS "$_written" ON "$_values"(written) WHERE key IS NULL;
      CREATE TRIGGER IF NOT EXISTS "$_replaced" AFTER UPDATE OF expiry, value ON "$"
      WHEN \(PartsExpiry.test("old")) AND (NOT \(PartsExpiry.test("new"))
        OR \(PartsExpiry.id("new")) <> \(PartsExpiry.id("old"))) BEGIN \(disown); END;
      CREATE TRIGGER IF NOT EXISTS "$_deleted" AFTER DELETE ON "$" WHEN \(PartsExpiry.test("old")) BEGIN
        \(disown);
      END
      """)
  }

  /// Replaces the triggers for the limit, if an earlier version has made them: they would not count parts.
  var limitTriggersRenewal: String {
    sql(#"DROP TRIGGER "$_added"; DROP TRIGGER "$_changed"; DROP TRIGGER "$_removed"; "#) + sql(limitTriggers)
  }
}

extension Connection {
  /// Creates the tables for parts. Call it in a transaction.
  func createPartTables() throws {
    try run(script: table.partsCreation)
    var added: String?
    let name = EntryTable.folded(table.name) + "_added"
    try Array(name.utf8).withUnsafeBufferPointer { name in
      try run(sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND lower(name) = ?1", [.text(name)])
      {
        added = try $0.text(0)
      }
    }
    if let added, !added.contains(PartsExpiry.length("new")) { try run(script: table.limitTriggersRenewal) }
  }

  /// Returns whether the file has the tables for parts.
  func hasPartTables() throws -> Bool {
    var isFound = false
    let name = EntryTable.folded(table.name) + "_values"
    try Array(name.utf8).withUnsafeBufferPointer { name in
      try run(sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = ?1", [.text(name)]) {
        _ in
        isFound = true
      }
    }
    return isFound
  }
}
