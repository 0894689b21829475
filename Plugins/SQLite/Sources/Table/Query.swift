/// The frequent queries. Each connection keeps their prepared statements.
enum Query: Int, CaseIterable {
  case beginReading, beginWriting, commit, rollback
  case find, findExpiry, listKeys, listKeysInOrder, measure
  case put, putForID, remove, removeAll, removeExpired
  case touch, total, oldest, evict, subtract, forget
  case part, putPart, removeParts, owner, setOwner, removeOwner, disowned, writers, owners,
    removeExpiredInParts

  /// The SQL, in which `"$"` stands for the table.
  var sql: String {
    switch self {
    case .beginReading: "BEGIN"
    case .beginWriting: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"

    case .find: #"SELECT id, expiry, value FROM "$" WHERE key = ?1"#
    case .findExpiry: #"SELECT expiry FROM "$" WHERE key = ?1"#
    // Reads two indexes only, so no page of a value is read.
    case .listKeys:
      """
      SELECT key FROM "$" WHERE id NOT IN (
        SELECT id FROM "$" WHERE expiry <= ?1 UNION ALL SELECT id FROM "$" WHERE \(PartsExpiry.isPast("?2")))
      """
    // Reads the rows of keys only if at least one row has expired.
    case .listKeysInOrder:
      """
      SELECT key FROM "$" WHERE key >= ?3
        AND CASE WHEN EXISTS (SELECT 1 FROM "$" WHERE expiry <= ?1)
          OR EXISTS (SELECT 1 FROM "$" WHERE \(PartsExpiry.isPast("?2")))
        THEN ifnull(expiry > ?1 AND NOT \(PartsExpiry.isPast("?2")), 1) ELSE 1 END
      ORDER BY key
      """
    case .measure: "SELECT coalesce(sum(\(EntryTable.size("\"$\""))), 0) FROM \"$\""

    case .put:
      """
      INSERT INTO "$"(key, expiry, value) VALUES (?1, ?2, ?3)
      ON CONFLICT(key) DO UPDATE SET expiry = excluded.expiry, value = excluded.value
      """
    case .putForID: Query.put.sql + " RETURNING id"
    case .remove: #"DELETE FROM "$" WHERE key = ?1"#
    case .removeAll: #"DELETE FROM "$""#
    case .removeExpired:
      #"DELETE FROM "$" WHERE id IN (SELECT id FROM "$" WHERE expiry <= ?1 ORDER BY expiry LIMIT ?2)"#

    case .touch:
      "UPDATE \"$_uses\" SET used = \(EntryTable.lastUse) + 1 WHERE id = ?1 AND used < \(EntryTable.lastUse)"
    case .total: #"SELECT bytes FROM "$_total""#
    case .oldest: #"SELECT id FROM "$_uses" ORDER BY used LIMIT 1"#
    case .evict: #"DELETE FROM "$" WHERE id = ?1"#
    case .subtract: #"UPDATE "$_total" SET bytes = bytes - (SELECT size FROM "$_uses" WHERE id = ?1)"#
    case .forget: #"DELETE FROM "$_uses" WHERE id = ?1"#

    case .part: #"SELECT bytes FROM "$_parts" WHERE id = ?1 AND number = ?2"#
    // A writer may store its last parts again, after a commit that failed.
    case .putPart: #"INSERT OR REPLACE INTO "$_parts"(id, number, bytes) VALUES (?1, ?2, ?3)"#
    case .removeParts:
      #"DELETE FROM "$_parts" WHERE rowid IN (SELECT rowid FROM "$_parts" WHERE id = ?1 LIMIT ?2)"#
    case .owner: #"SELECT id, written, key FROM "$_values" WHERE id = ?1"#
    case .setOwner: #"INSERT OR REPLACE INTO "$_values"(id, written, key) VALUES (?1, ?2, ?3)"#
    case .removeOwner: #"DELETE FROM "$_values" WHERE id = ?1"#
    case .disowned: #"SELECT id FROM "$_values" WHERE key IS NULL AND written IS NULL LIMIT ?1"#
    case .writers: #"SELECT id, written, key FROM "$_values" WHERE key IS NULL AND written IS NOT NULL"#
    case .owners: #"SELECT id, written, key FROM "$_values" WHERE key IS NOT NULL OR written IS NOT NULL"#
    case .removeExpiredInParts:
      "DELETE FROM \"$\" WHERE id IN (SELECT id FROM \"$\" WHERE \(PartsExpiry.isPast("?1")) ORDER BY expiry LIMIT ?2)"
    }
  }
}
