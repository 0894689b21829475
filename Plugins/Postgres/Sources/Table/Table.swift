import StrataCore

/// Whether a table survives a crash of the server.
///
/// ```swift
/// let pages = try PostgresStorage<String>(client: client, table: "pages", durability: .unlogged)
/// ```
public enum PostgresDurability: Sendable, Hashable {
  /// Each write is in the server's log on disk when it returns, and replicated.
  case durable
  /// An unlogged table: writes take a fraction of the time, but a crash of the server empties the table, and standbys
  /// do not contain it. A clean restart keeps it.
  case unlogged
}

/// A table of entries, and the statements that access it.
///
/// `key` is the text of the key in UTF-8, in Unicode's normalisation form C. A text that is too long for an index is
/// replaced by the byte FE, which UTF-8 does not use, and its SHA-256; `name` then contains the text. `expires` is NULL
/// for entries that never expire. In the row of a lease, the byte FF precedes the key. `value` is NULL for a value that
/// is stored in parts, in rows that `PartStatements` describes.
struct Table: Sendable {
  let schema: String?
  let name: String
  /// The quoted name of the table, with its schema, for statements.
  let quoted: String

  let read, readExpiry, readMany, write, writeMany, writeIfAbsent, replace, touch, add: Query
  let remove, removeMany, removePage, sweepPage, firstPage, nextPage: Query
  let acquire, extend, release, writeUnderLease, writeManyUnderLease, replaceUnderLease: Query
  let parts: PartStatements

  init(_ name: String, schema: String?) throws(StorageError) {
    for part in [name, schema].compactMap({ $0 })
    where part.isEmpty || part.utf8.count > 63 || part.utf8.contains(0) {
      throw .invalidConfiguration.with(
        "\(String(reflecting: part)) cannot name a table or schema: a name has 1 to 63 bytes without NUL"
      )
    }
    self.schema = schema
    self.name = name
    let table = [schema, name].compactMap { $0 }.map(StrataPostgres.quoted).joined(separator: ".")
    quoted = table
    parts = PartStatements(table)
    let alive = "(t.expires IS NULL OR t.expires >"

    read = Query("SELECT value, expires, xmin FROM \(table) WHERE key = $1", [.bytes], isRead: true)
    readExpiry = Query("SELECT expires FROM \(table) WHERE key = $1", [.bytes], isRead: true)
    readMany = Query(
      "SELECT key, value, expires FROM \(table) WHERE key = ANY($1)", [.arrayOfBytes], isRead: true)

    let replacing = "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires"
    let insert = "INSERT INTO \(table) AS t (key, name, value, expires)"
    let entry: [Parameters.Kind] = [.bytes, .bytes, .bytes, .date]
    write = Query("\(insert) VALUES ($1, $2, $3, $4) \(replacing)", entry)
    writeMany = Query(
      "\(insert) SELECT e.key, e.name, e.value, $4 FROM unnest($1, $2, $3) AS e (key, name, value) \(replacing)",
      [.arrayOfBytes, .arrayOfBytes, .arrayOfBytes, .date])
    writeIfAbsent = Query(
      "\(insert) VALUES ($1, $2, $3, $4) \(replacing) WHERE t.expires <= $5", entry + [.date])
    replace = Query(
      "UPDATE \(table) SET value = $2 WHERE key = $1 AND xmin = $3", [.bytes, .bytes, .transaction])
    touch = Query(
      "UPDATE \(table) AS t SET expires = $2 WHERE key = $1 AND \(alive) $3)", [.bytes, .date, .date])
    add = Query(
      "\(insert) VALUES ($1, $2, convert_to($3::text, 'UTF8'), $4) ON CONFLICT (key) DO UPDATE SET "
        + "value = convert_to((CASE WHEN \(alive) $5) THEN convert_from(t.value, 'UTF8')::bigint ELSE 0 END + $3)::text, "
        + "'UTF8'), expires = CASE WHEN \(alive) $5) THEN t.expires ELSE excluded.expires END RETURNING value",
      [.bytes, .bytes, .integer, .date, .date])

    remove = Query("DELETE FROM \(table) WHERE key = $1 RETURNING value IS NULL", [.bytes])
    // In the order of keys, as all batches, so that concurrent batches cannot deadlock.
    removeMany = Query(
      "WITH old AS (SELECT key FROM \(table) WHERE key = ANY($1) ORDER BY key FOR UPDATE) "
        + "DELETE FROM \(table) AS t USING old WHERE t.key = old.key RETURNING value IS NULL", [.arrayOfBytes]
    )
    removePage = Query(
      "WITH old AS (SELECT key FROM \(table) WHERE key < '\\xff' ORDER BY key LIMIT $1 FOR UPDATE) "
        + "DELETE FROM \(table) AS t USING old WHERE t.key = old.key", [.integer])
    // Memory in front of a store expires entries itself, so the trigger need not report expired ones.
    sweepPage = Query(
      "WITH old AS (SELECT key FROM \(table) WHERE expires <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED) "
        + "DELETE FROM \(table) AS t USING old, (SELECT set_config('strata.quiet', 'on', true)) AS quiet "
        + "WHERE t.key = old.key", [.date, .integer])

    let end = "clock_timestamp() + $3 * interval '1 microsecond'"
    let lease: [Parameters.Kind] = [.bytes, .bytes, .integer]
    acquire = Query(
      "\(insert) VALUES ($1, NULL, $2, \(end)) \(replacing) WHERE t.expires <= clock_timestamp()", lease)
    extend = Query(
      "UPDATE \(table) AS t SET expires = \(end) WHERE key = $1 AND value = $2 AND expires > clock_timestamp()",
      lease)
    release = Query("DELETE FROM \(table) WHERE key = $1 AND value = $2", [.bytes, .bytes])
    writeUnderLease = Query(
      "WITH held AS (SELECT FROM \(table) WHERE key = $5 AND value = $6 AND expires > clock_timestamp() FOR UPDATE) "
        + "\(insert) SELECT $1, $2, $3, $4 FROM held \(replacing)", entry + [.bytes, .bytes])
    writeManyUnderLease = Query(
      "WITH held AS (SELECT FROM \(table) WHERE key = ANY($5) AND value = $6 AND expires > clock_timestamp() FOR UPDATE) "
        + "\(insert) SELECT e.key, e.name, e.value, $4 FROM unnest($1, $2, $3) AS e (key, name, value), "
        + "(SELECT FROM held LIMIT 1) AS one \(replacing)",
      [.arrayOfBytes, .arrayOfBytes, .arrayOfBytes, .date, .arrayOfBytes, .bytes])

    // Two numbers: whether the lease is held, and whether the row still has its version.
    replaceUnderLease = Query(
      "WITH held AS (SELECT FROM \(table) WHERE key = $4 AND value = $5 AND expires > clock_timestamp() FOR UPDATE), "
        + "done AS (UPDATE \(table) SET value = $2 FROM held WHERE key = $1 AND xmin = $3 RETURNING 1) "
        + "SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM done)",
      [.bytes, .bytes, .transaction, .bytes, .bytes])

    let page = "FROM \(table) AS t WHERE key < '\\xff' AND \(alive) $1)"
    firstPage = Query(
      "SELECT key, name \(page) ORDER BY key LIMIT $2", [.date, .integer], isRead: true)
    nextPage = Query(
      "SELECT key, name \(page) AND key > $3 ORDER BY key LIMIT $2", [.date, .integer, .bytes], isRead: true)
  }
}

/// Returns a name as an identifier in a statement.
func quoted(_ name: String) -> String {
  "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}

/// Returns a text as a literal in a statement.
func literal(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
}
