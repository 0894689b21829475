import CSQLiteAPI
import Foundation
import Synchronization

/// SQLite through its C API, with the table of `SQLiteStorage` and, by default, its pragmas. It has one connection for
/// each reading thread and one for all writers, and reuses its statements.
///
/// Unchecked `Sendable`: a reader belongs to one thread, and the writer is used with its lock held.
final class RawSQLite: ByteStore, @unchecked Sendable {
  private let readers: [Connection]
  private let writer: Mutex<Void> = Mutex(())
  private let writing: Connection

  enum Settings: String {
    /// A write-ahead log, as in `SQLiteStorage`; no write waits for the disk.
    case log = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"
    /// SQLite's defaults: a rollback journal, and each write waits for the disk.
    case asItComes = ""
  }

  init(folder: URL, threads: Int, settings: Settings = .log) throws {
    let path = folder.appending(path: "raw.sqlite").path
    let writing = try Connection(path, settings)
    try writing.run(
      """
      CREATE TABLE IF NOT EXISTS entries (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, expiry REAL, value BLOB NOT NULL);
      CREATE INDEX IF NOT EXISTS entries_expiry ON entries(expiry) WHERE expiry IS NOT NULL;
      """)
    try writing.prepare()
    self.writing = writing
    readers = try (0..<threads).map { _ in
      let reader = try Connection(path, settings)
      try reader.prepare()
      return reader
    }
  }

  func value(forKey key: String, thread: Int) throws -> Data? { try readers[thread].find(key) }

  func store(_ value: Data, forKey key: String, thread: Int) throws {
    try writer.withLock { _ in try writing.put(key, value) }
  }

  func values(forKeys keys: [String], thread: Int) throws -> [String: Data] {
    let reader = readers[thread]
    try reader.run("BEGIN")
    var found = [String: Data](minimumCapacity: keys.count)
    for key in keys { if let value = try reader.find(key) { found[key] = value } }
    try reader.run("COMMIT")
    return found
  }

  func store(_ values: [String: Data], thread: Int) throws {
    try writer.withLock { _ in
      try writing.run("BEGIN IMMEDIATE")
      for (key, value) in values { try writing.put(key, value) }
      try writing.run("COMMIT")
    }
  }

  private final class Connection {
    private var handle: OpaquePointer?
    private var finding: OpaquePointer?
    private var putting: OpaquePointer?

    init(_ path: String, _ settings: Settings) throws {
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
      try check(sqlite3_open_v2(path, &handle, flags, nil))
      try run("PRAGMA busy_timeout = 5000; " + settings.rawValue)
    }

    deinit {
      sqlite3_finalize(finding)
      sqlite3_finalize(putting)
      sqlite3_close(handle)
    }

    /// Prepares the statements, once the table exists.
    func prepare() throws {
      let keep = UInt32(SQLITE_PREPARE_PERSISTENT)
      let find = "SELECT expiry, value FROM entries WHERE key = ?1"
      try check(sqlite3_prepare_v3(handle, find, -1, keep, &finding, nil))
      let put = """
        INSERT INTO entries(key, expiry, value) VALUES (?1, NULL, ?2)
        ON CONFLICT(key) DO UPDATE SET expiry = excluded.expiry, value = excluded.value
        """
      try check(sqlite3_prepare_v3(handle, put, -1, keep, &putting, nil))
    }

    func run(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    func find(_ key: String) throws -> Data? {
      var key = key
      return try key.withUTF8 { key in
        defer { sqlite3_reset(finding) }
        try bind(key, to: finding)
        let code = sqlite3_step(finding)
        if code == SQLITE_DONE { return nil }
        try check(code, isGood: code == SQLITE_ROW)
        return Data(bytes: sqlite3_column_blob(finding, 1), count: Int(sqlite3_column_bytes(finding, 1)))
      }
    }

    func put(_ key: String, _ value: Data) throws {
      var key = key
      try key.withUTF8 { key in
        try value.withUnsafeBytes { value in
          defer { sqlite3_reset(putting) }
          try bind(key, to: putting)
          try check(sqlite3_bind_blob64(putting, 2, value.baseAddress, UInt64(value.count), nil))
          let code = sqlite3_step(putting)
          try check(code, isGood: code == SQLITE_DONE)
        }
      }
    }

    /// Binds a key without a copy: its memory must stay valid until the statement is reset.
    private func bind(_ key: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer?) throws {
      try key.withMemoryRebound(to: CChar.self) {
        try check(
          sqlite3_bind_text64(
            statement, 1, $0.baseAddress, UInt64($0.count), nil, UInt8(SQLITE_UTF8)))
      }
    }

    private func check(_ code: Int32) throws { try check(code, isGood: code == SQLITE_OK) }

    private func check(_ code: Int32, isGood: Bool) throws {
      if !isGood { throw Failure("SQLite: \(String(cString: sqlite3_errmsg(handle)))") }
    }
  }
}
