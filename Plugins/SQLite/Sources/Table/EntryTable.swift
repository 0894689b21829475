/// The names and SQL of a store's table, with its index, triggers and auxiliary tables.
///
/// One row is one entry. The value comes last: to reach a column behind it, SQLite would read all of its pages. Rows
/// are found by the index on `key`; for large values that is faster than a table without row ids.
struct EntryTable: Sendable {
  /// The version of the layout that is written, and the newest that can be read. It is stored in the comment of the
  /// table.
  static let version = 1
  static let versionMark = "A store of Strata, version "
  /// The columns as `PRAGMA table_info` lists them: name, type, NOT NULL, place in the primary key.
  static let columns = ["id INTEGER 0 1", "key TEXT 1 0", "expiry REAL 0 0", "value BLOB 1 0"]

  let name: String
  /// Whether the table has a limit, and therefore the tables and triggers that enforce it.
  let isLimited: Bool

  /// Returns SQL in which `"$"` stands for the table, and `"$_uses"` for its table of uses.
  func sql(_ text: String) -> String { text.replacing("$", with: name.replacing("\"", with: "\"\"")) }

  /// The index, triggers and auxiliary tables, each as its type, its name and the table it is on.
  var companions: [String] {
    let ofLimit = [
      "table $_uses", "index $_order on $_uses", "table $_total", "trigger $_added on $",
      "trigger $_changed on $", "trigger $_removed on $",
    ]
    return (["index $_expiry on $"] + (isLimited ? ofLimit : [])).map {
      Self.folded($0.replacing("$", with: name))
    }
  }

  /// Returns a name with its Latin letters in lower case: SQLite ignores their case in names.
  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
  }

  /// Creates the table and its index.
  var creation: String {
    sql(
      """
      CREATE TABLE IF NOT EXISTS "$" (
        -- \(Self.versionMark)\(Self.version): one row an entry.
        id     INTEGER PRIMARY KEY,
        key    TEXT NOT NULL UNIQUE,
        expiry REAL,                  -- seconds since 1970, as datetime(expiry, 'unixepoch') shows them; NULL: never
        value  BLOB NOT NULL
      );
      CREATE INDEX IF NOT EXISTS "$_expiry" ON "$"(expiry) WHERE expiry IS NOT NULL
      """)
  }

  /// Creates the tables for the limit, which hold the order of use and the sum of all sizes. Triggers update both,
  /// whichever program changes the table.
  var limitCreation: String {
    sql(
      """
      CREATE TABLE IF NOT EXISTS "$_uses" (
        -- For the limit: when each entry was used, and the bytes of its key and value. Kept by triggers.
        id   INTEGER PRIMARY KEY,
        used INTEGER NOT NULL,       -- the greater, the later
        size INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS "$_order" ON "$_uses"(used);
      CREATE TABLE IF NOT EXISTS "$_total" (bytes INTEGER NOT NULL);

      \(limitTriggers)

      DELETE FROM "$_uses";
      INSERT INTO "$_uses"(id, used, size) SELECT id, id, \(Self.size("\"$\"")) FROM "$";
      DELETE FROM "$_total";
      INSERT INTO "$_total" SELECT coalesce(sum(size), 0) FROM "$_uses";
      """)
  }

  /// The triggers that keep the tables for the limit.
  var limitTriggers: String {
    """
    CREATE TRIGGER IF NOT EXISTS "$_added" AFTER INSERT ON "$" BEGIN
      UPDATE "$_total" SET bytes = bytes + \(Self.size("new")) - \(known("new"));
      INSERT OR REPLACE INTO "$_uses"(id, used, size) VALUES (new.id, \(Self.lastUse) + 1, \(Self.size("new")));
    END;
    CREATE TRIGGER IF NOT EXISTS "$_changed" AFTER UPDATE OF id, key, value ON "$"
    WHEN new.id <> old.id OR \(Self.size("new")) <> \(known("old")) BEGIN
      UPDATE "$_total" SET bytes = bytes + \(Self.size("new")) - \(known("old"));
      UPDATE OR REPLACE "$_uses" SET id = new.id, size = \(Self.size("new")) WHERE id = old.id;
    END;
    CREATE TRIGGER IF NOT EXISTS "$_removed" AFTER DELETE ON "$" BEGIN
      UPDATE "$_total" SET bytes = bytes - \(known("old"));
      DELETE FROM "$_uses" WHERE id = old.id;
    END;
    """
  }

  /// The last number in the order of use.
  static let lastUse = #"(SELECT coalesce(max(used), 0) FROM "$_uses")"#

  /// The counted size of a row in SQL; 0 if the row was not counted.
  private func known(_ row: String) -> String {
    "coalesce((SELECT size FROM \"$_uses\" WHERE id = \(row).id), 0)"
  }

  /// The number of bytes of a row's key and value, in SQL. `length` counts characters of a text, and bytes of a blob
  /// without reading it. The length of a value in parts is in the row's expiry.
  static func size(_ row: String) -> String {
    """
    length(CAST(\(row).key AS BLOB)) + CASE WHEN \(PartsExpiry.test(row)) THEN \(PartsExpiry.length(row)) \
    ELSE CASE typeof(\(row).value) \
    WHEN 'blob' THEN length(\(row).value) ELSE length(CAST(\(row).value AS BLOB)) END END
    """
  }
}
