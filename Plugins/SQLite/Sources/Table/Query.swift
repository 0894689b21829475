/// The frequent queries. Each connection keeps their prepared statements.
enum Query: Int, CaseIterable {
  case beginReading, beginWriting, commit, rollback
  case find, findExpiry, listKeys, listKeysInOrder, measure
  case put, putForID, remove, removeAll, removeExpired
  case touch, total, oldest, evict, forget, subtract
}

extension EntryTable {
  /// Returns the SQL of a query.
  func sql(of query: Query) -> String {
    switch query {
    case .beginReading: "BEGIN"
    case .beginWriting: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"

    case .find: "SELECT id, expiry, value FROM \(table) WHERE key = ?1"
    case .findExpiry: "SELECT expiry FROM \(table) WHERE key = ?1"
    // Answered from two indices alone, so no page of a value is read.
    case .listKeys:
      "SELECT key FROM \(table) WHERE id NOT IN (SELECT id FROM \(table) WHERE expiry <= ?1)"
    // Reads the row of a key only if any row has expired.
    case .listKeysInOrder:
      """
      SELECT key FROM \(table) WHERE key >= ?2
        AND CASE WHEN EXISTS (SELECT 1 FROM \(table) WHERE expiry <= ?1) THEN ifnull(expiry > ?1, 1) ELSE 1 END
      ORDER BY key
      """
    case .measure: "SELECT coalesce(sum(\(size(table))), 0) FROM \(table)"

    case .put:
      """
      INSERT INTO \(table)(key, expiry, value) VALUES (?1, ?2, ?3)
      ON CONFLICT(key) DO UPDATE SET expiry = excluded.expiry, value = excluded.value
      """
    case .putForID: "\(sql(of: .put)) RETURNING id"
    case .remove: "DELETE FROM \(table) WHERE key = ?1"
    case .removeAll: "DELETE FROM \(table)"
    case .removeExpired:
      "DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE expiry <= ?1 ORDER BY expiry LIMIT ?2)"

    case .touch:
      """
      UPDATE \(uses) SET used = \(nextUse) WHERE id = ?1 AND used < (SELECT max(used) FROM \(uses))
      """
    case .total: "SELECT bytes FROM \(total)"
    case .oldest: "SELECT id, size FROM \(uses) ORDER BY used LIMIT 1"
    case .evict: "DELETE FROM \(table) WHERE id = ?1"
    case .forget: "DELETE FROM \(uses) WHERE id = ?1"
    case .subtract: "UPDATE \(total) SET bytes = bytes - ?1"
    }
  }
}
