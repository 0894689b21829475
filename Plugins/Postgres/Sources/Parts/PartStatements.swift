#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The statements for values in parts, which are rows of the same table: neither rights nor tables are needed that a
/// store does not have already.
///
/// | `key`                           | `value`                                                                        |
/// |---------------------------------|--------------------------------------------------------------------------------|
/// | FF FA, the key of the entry     | the description of its value as a `DividedValue`                               |
/// | FF FB, the identity, the number | a part                                                                         |
/// | FF FC, the identity             | the owner of the parts                                                         |
///
/// An owner is `S` and microseconds since 1970: a writer, which has stored a part then; `L` and the key of the entry
/// that has the value; or `D`: nobody, so that the parts are to be deleted.
///
/// Listings, sweeps and notifications leave out keys that begin with FF, as leases do. The `value` of the entry's own
/// row is NULL. Earlier versions throw an error for it, and do not read the description as a value.
struct PartStatements: Sendable {
  /// Allows NULL as a value, in a table of an earlier version.
  let prepare: Query
  let describe, begin, append, renew, commit, commitUnderLease, isStaged: Query
  let lost, disown, remove, removeOwner: Query

  init(_ table: String) {
    prepare = Query(
      "DO "
        + literal(
          """
          BEGIN
            IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass(\(literal(table))) AND attname = 'value'
              AND attnotnull) THEN ALTER TABLE \(table) ALTER COLUMN value DROP NOT NULL;
            END IF;
          END
          """))
    describe = Query(
      "SELECT m.value, e.expires FROM \(table) AS e JOIN \(table) AS m ON m.key = $2 "
        + "WHERE e.key = $1 AND e.value IS NULL",
      [.bytes, .bytes], isRead: true)

    let isStaging = "get_byte(value, 0) = \(UInt8(ascii: "S"))"
    let insert = """
      INSERT INTO \(table) (key, value) SELECT e.key, e.value FROM unnest($3, $4) AS e (key, value), own \
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """
    let parts: [Parameters.Kind] = [.bytes, .bytes, .arrayOfBytes, .arrayOfBytes]
    begin = Query(
      "WITH own AS (INSERT INTO \(table) (key, value) VALUES ($1, $2) RETURNING 1) \(insert)", parts)
    append = Query(
      "WITH own AS (UPDATE \(table) SET value = $2 WHERE key = $1 AND \(isStaging) RETURNING 1) \(insert)",
      parts)
    renew = Query("UPDATE \(table) SET value = $2 WHERE key = $1 AND \(isStaging)", [.bytes, .bytes])
    isStaged = Query("SELECT FROM \(table) WHERE key = $1 AND \(isStaging)", [.bytes], isRead: true)

    // The row of the entry first: whoever has locked it also decides what its description is.
    func commit(_ own: String) -> String {
      """
      WITH \(own), entry AS (
        INSERT INTO \(table) AS t (key, name, value, expires) SELECT $1, $2, NULL, $3 FROM own
        ON CONFLICT (key) DO UPDATE SET value = NULL, expires = excluded.expires
        WHERE $8::timestamptz IS NULL OR t.expires <= $8 RETURNING 1),
      described AS (
        INSERT INTO \(table) (key, value) SELECT $6, $7 FROM entry
        ON CONFLICT (key) DO UPDATE SET value = excluded.value RETURNING 1)
      UPDATE \(table) SET value = $5 WHERE key = $4 AND EXISTS (SELECT FROM described)
      """
    }
    let own = "SELECT FROM \(table) WHERE key = $4 AND \(isStaging)"
    let entry: [Parameters.Kind] = [.bytes, .bytes, .date, .bytes, .bytes, .bytes, .bytes, .date]
    self.commit = Query(commit("own AS (\(own) FOR UPDATE)"), entry)
    commitUnderLease = Query(
      commit(
        "held AS (SELECT FROM \(table) WHERE key = $9 AND value = $10 AND expires > clock_timestamp() FOR UPDATE), "
          + "own AS (\(own) AND EXISTS (SELECT FROM held))"), entry + [.bytes, .bytes])

    lost = Query(
      """
      SELECT r.key, r.value FROM \(table) AS r WHERE r.key >= '\\xfffc' AND r.key < '\\xfffd'
        AND CASE get_byte(r.value, 0)
          WHEN \(UInt8(ascii: "S")) THEN convert_from(substring(r.value FROM 2), 'UTF8')::bigint <= $1
          WHEN \(UInt8(ascii: "L")) THEN NOT EXISTS (
            SELECT FROM \(table) AS e JOIN \(table) AS m ON m.key = '\\xfffa'::bytea || e.key
            WHERE e.key = substring(r.value FROM 2) AND e.value IS NULL
              AND substring(m.value FROM 9 FOR 16) = substring(r.key FROM 3))
          ELSE true END
      ORDER BY r.key LIMIT 100
      """, [.integer], isRead: true)
    disown = Query("UPDATE \(table) SET value = 'D' WHERE key = $1 AND value = $2", [.bytes, .bytes])
    remove = Query(
      "DELETE FROM \(table) WHERE key IN (SELECT key FROM \(table) WHERE key >= $1 AND key < $2 LIMIT 64)",
      [.bytes, .bytes])
    // Also the description, unless another value has taken the place of this one.
    removeOwner = Query(
      "DELETE FROM \(table) WHERE key = $1 OR key = $2 AND substring(value FROM 9 FOR 16) = substring($1 FROM 3)",
      [.bytes, .bytes])
  }

  // MARK: Keys and values

  static func description(_ key: RowKey) -> [UInt8] { [0xFF, 0xFA] + key.bytes }
  static func owner(_ id: ValueID) -> [UInt8] { [0xFF, 0xFC] + id.bytes }
  static func part(_ number: Int, of id: ValueID) -> [UInt8] {
    [0xFF, 0xFB] + id.bytes + withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { Array($0) }
  }

  static func staging(_ clock: StorageClock) -> [UInt8] {
    Array("S\(Int(clock.now.timeIntervalSince1970 * 1e6))".utf8)
  }
  static func live(_ key: RowKey) -> [UInt8] { Array("L".utf8) + key.bytes }
}
