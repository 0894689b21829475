import BenchHarness
import Foundation
import GRDB
import StrataSQLite

/// Values in SQLite databases, by `SQLiteStorage` and by GRDB. Both use WAL with `synchronous=NORMAL`.
enum SQLitePeer {
  static func measure(folder: URL, into table: inout BenchHarness.Table) async throws {
    let store = try SQLiteStorage<String>(
      config: SQLiteConfig(path: folder.appending(path: "ours.sqlite").path))
    let pool = try DatabasePool(path: folder.appending(path: "theirs.sqlite").path)
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE theirs (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
    }
    let (keys, value) = (Peers.keys, Peers.value)
    @Sendable func write(_ key: String) async throws {
      try await pool.write { db in
        try db.cachedStatement(
          sql: """
            INSERT INTO theirs (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """
        ).execute(arguments: [key, value])
      }
    }
    for key in keys {
      try await store.setObject(value, forKey: key)
      try await write(key)
    }
    try await Peers.compare("GRDB", "set", into: &table) { draw in
      try await store.setObject(value, forKey: keys[draw])
    } theirs: { draw in
      try await write(keys[draw])
    }
    try await Peers.compare("GRDB", "get", into: &table) { draw in
      guard try await store.object(forKey: keys[draw]) == value else { throw Peers.WrongAnswer() }
    } theirs: { draw in
      let found = try await pool.read { db in
        try Data.fetchOne(
          db.cachedStatement(sql: "SELECT value FROM theirs WHERE key = ?"), arguments: [keys[draw]])
      }
      guard found == value else { throw Peers.WrongAnswer() }
    }
  }
}
