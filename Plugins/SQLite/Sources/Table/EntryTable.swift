/// The table of a store with its index, triggers and auxiliary tables: names and SQL.
///
/// ```sql
/// CREATE TABLE "entries" (
///   -- A store of Strata, version 1: one row an entry.
///   id     INTEGER PRIMARY KEY,
///   key    TEXT NOT NULL UNIQUE,
///   expiry REAL,                  -- seconds since 1970, as datetime(expiry, 'unixepoch') shows them; NULL: never
///   value  BLOB NOT NULL
/// )
/// ```
///
/// The value comes last: to reach a column behind it, SQLite would read all of its pages. Rows are found by the index
/// on `key`; for large values that is faster than a table without row ids.
struct EntryTable: Sendable {
  /// The version of the layout that is written, and the newest that can be read. It is stored in the comment of the
  /// table.
  static let version = 1
  static let versionMark = "A store of Strata, version "

  let name: String
  /// Whether the table has a limit, and so the objects that enforce it.
  let isLimited: Bool

  /// Returns whether a text can name a table: SQLite reserves names with its own prefix.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.utf8.contains(0) && !text.lowercased().hasPrefix("sqlite_")
  }

  // MARK: Names, in quotes

  var table: String { Self.quoted(name) }
  var uses: String { Self.quoted(usesName) }
  var total: String { Self.quoted(totalName) }
  private var expiryIndexName: String { "\(name)_expiry" }

  private var usesName: String { "\(name)_uses" }
  private var totalName: String { "\(name)_total" }
  private var orderName: String { "\(name)_order" }
  private var triggerNames: (added: String, changed: String, removed: String) {
    ("\(name)_added", "\(name)_changed", "\(name)_removed")
  }

  /// The index, triggers and auxiliary tables, in the form that `object` returns.
  var companions: [String] {
    let triggers = triggerNames
    let always = [Self.object("index", expiryIndexName, on: name)]
    if !isLimited { return always }
    return always + [
      Self.object("table", usesName, on: usesName), Self.object("index", orderName, on: usesName),
      Self.object("table", totalName, on: totalName), Self.object("trigger", triggers.added, on: name),
      Self.object("trigger", triggers.changed, on: name), Self.object("trigger", triggers.removed, on: name),
    ]
  }

  static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }

  // MARK: Layout

  /// The columns as `PRAGMA table_info` lists them: name, type, NOT NULL, place in the primary key.
  static let columns = ["id INTEGER 0 1", "key TEXT 1 0", "expiry REAL 0 0", "value BLOB 1 0"]

  var creation: String {
    """
    CREATE TABLE IF NOT EXISTS \(table) (
      -- \(Self.versionMark)\(Self.version): one row an entry.
      id     INTEGER PRIMARY KEY,
      key    TEXT NOT NULL UNIQUE,
      expiry REAL,                  -- seconds since 1970, as datetime(expiry, 'unixepoch') shows them; NULL: never
      value  BLOB NOT NULL
    )
    """
  }

  var expiryIndexCreation: String {
    """
    CREATE INDEX IF NOT EXISTS \(Self.quoted(expiryIndexName)) ON \(table)(expiry) WHERE expiry IS NOT NULL
    """
  }

  /// The tables for the limit, which hold the order of use and the sum of all sizes. Triggers update both, whichever
  /// program changes the table.
  var limitCreation: String {
    let triggers = triggerNames
    return """
      CREATE TABLE IF NOT EXISTS \(uses) (
        -- For the limit: when each entry was used, and the bytes of its key and value. Kept by triggers.
        id   INTEGER PRIMARY KEY,
        used INTEGER NOT NULL,       -- the greater, the later
        size INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS \(Self.quoted(orderName)) ON \(uses)(used);
      CREATE TABLE IF NOT EXISTS \(total) (bytes INTEGER NOT NULL);

      CREATE TRIGGER IF NOT EXISTS \(Self.quoted(triggers.added)) AFTER INSERT ON \(table) BEGIN
        UPDATE \(total) SET bytes = bytes + \(size("new")) - \(known("new"));
        INSERT OR REPLACE INTO \(uses)(id, used, size) VALUES (new.id, \(nextUse), \(size("new")));
      END;
      CREATE TRIGGER IF NOT EXISTS \(Self.quoted(triggers.changed)) AFTER UPDATE OF id, key, value ON \(table)
      WHEN new.id <> old.id OR \(size("new")) <> \(known("old")) BEGIN
        UPDATE \(total) SET bytes = bytes + \(size("new")) - \(known("old"));
        UPDATE OR REPLACE \(uses) SET id = new.id, size = \(size("new")) WHERE id = old.id;
      END;
      CREATE TRIGGER IF NOT EXISTS \(Self.quoted(triggers.removed)) AFTER DELETE ON \(table) BEGIN
        UPDATE \(total) SET bytes = bytes - \(known("old"));
        DELETE FROM \(uses) WHERE id = old.id;
      END;

      DELETE FROM \(uses);
      INSERT INTO \(uses)(id, used, size) SELECT id, id, \(size(table)) FROM \(table);
      DELETE FROM \(total);
      INSERT INTO \(total) SELECT coalesce(sum(size), 0) FROM \(uses);
      """
  }

  /// The next number in the order of use.
  var nextUse: String { "(SELECT coalesce(max(used), 0) + 1 FROM \(uses))" }

  /// The size under which a row was counted; 0 if it was not.
  private func known(_ row: String) -> String {
    "coalesce((SELECT size FROM \(uses) WHERE id = \(row).id), 0)"
  }

  /// The number of bytes of a row's key and value. `length` counts the characters of a text, but the bytes of a blob
  /// without reading it.
  func size(_ row: String) -> String {
    """
    length(CAST(\(row).key AS BLOB)) + CASE typeof(\(row).value) \
    WHEN 'blob' THEN length(\(row).value) ELSE length(CAST(\(row).value AS BLOB)) END
    """
  }
}
