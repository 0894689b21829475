#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import TestSupport
import Testing

@testable import StrataSQLite

/// Opening a store: on new files, on other programs' files, and on paths that are no database file.
@Suite struct SQLiteOpeningTests {
  let file = TestFile()

  @Test func missingFoldersAreMade() throws {
    let path = file.folder.url.appending(path: "a/b/c.db").path
    let store = try SQLiteStorage<String>(config: SQLiteConfig(path: path))
    try store.setObject(text("1"), forKey: "a")
    #expect(store.path == path)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ["", "a\0b", "sqlite_x", "SQLite_x"])
  func namesThatCannotBe(_ name: String) {
    let error = failure { try file.open(table: name) }
    #expect(error == .invalidConfiguration)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(arguments: ["a\"; DROP TABLE x; --", "with space", "Łódź", "select", "a.b", "🗝️", "it's"])
  func anyOtherNameIsATable(_ name: String) throws {
    let store = try file.open(table: name, maxSize: 100)
    try store.setObject(text("1"), forKey: "a", expiry: .seconds(60))
    #expect(try file.open(table: name).object(forKey: "a") == text("1"))
    #expect(try file.raw().rows("SELECT name FROM sqlite_master WHERE type = 'table'").contains(name))
  }

  @Test(arguments: ["", "a\0b"]) func invalidPathsAreRefused(_ path: String) {
    let error = failure { try SQLiteStorage<String>(config: SQLiteConfig(path: path)) }
    #expect(error == .invalidConfiguration)
  }

  @Test(arguments: [-1, Double.nan, .infinity, 1e9]) func invalidTimeoutsAreRefused(_ time: Double) {
    #expect(failure { try file.open(busyTimeout: time) } == .invalidConfiguration)
  }

  @Test func aFolderAtThePathIsRefused() throws {
    try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
    let error = failure { try file.open() }
    #expect(error == .invalidConfiguration)
    #expect(error?.place == file.path)
  }

  @Test func aFileInsteadOfAParentFolderIsRefused() throws {
    try text("x").write(to: URL(filePath: file.path))
    let error = failure { try SQLiteStorage<String>(config: SQLiteConfig(path: file.path + "/store.db")) }
    #expect(error == .backendFailed)
  }

  @Test func aFileOfAnotherKindIsRefused() throws {
    let content = text(String(repeating: "Dear diary, ", count: 500))
    try content.write(to: URL(filePath: file.path))
    let error = failure { try file.open() }
    #expect(error == .malformedFileAttributes)
    #expect((error?.cause as? SQLiteError)?.name == "SQLITE_NOTADB")
    #expect(error?.message.contains("SQLITE_NOTADB (26)") == true)
    #expect(error?.place == file.path)
    #expect(try file.bytes == content)
  }

  #if os(Linux)
    @Test func aReadOnlyFileIsRefused() async throws {
      let file = file
      try file.raw().run("CREATE TABLE people (name)")
      let before = try file.bytes
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
      let error = try await onThreadAsNobody { failure { try file.open() } }
      #expect(error == .backendFailed)
      #expect(error?.message.contains("is read-only") == true)
      #expect(error?.place == file.path)
      #expect(try file.bytes == before)
    }
  #endif

  @Test(arguments: [
    "CREATE TABLE entries (name TEXT, age INTEGER)",
    "CREATE TABLE Entries (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, expiry REAL, value BLOB NOT NULL)",
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, key TEXT NOT NULL, expiry REAL, value BLOB NOT NULL)",
    "CREATE TABLE t (a); CREATE VIEW entries AS SELECT a FROM t",
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, expiry REAL, value BLOB NOT NULL, x)",
  ])
  func aTableOfSomebodyElse(_ sql: String) throws {
    try file.raw().run(sql)
    let before = try file.bytes
    let error = failure { try file.open() }
    #expect(error != nil)
    #expect(error?.place == file.path)
    #expect(try file.bytes == before)
  }

  @Test func aTableOfANewerVersionIsRefused() throws {
    try file.raw().run(
      EntryTable(name: "entries", isLimited: false).creation.replacing("version 1", with: "version 12"))
    let before = try file.bytes
    let error = failure { try file.open() }
    #expect(error == .newerFormat)
    #expect(error?.message.contains("version 12") == true)
    #expect(try file.bytes == before)
  }

  @Test func aTableCreatedByHandIsAccepted() throws {
    try file.raw().run(
      """
      CREATE TABLE entries(id integer primary key, key text not null unique, expiry real, value blob not null);
      INSERT INTO entries(key, value) VALUES ('a', x'31')
      """)
    let store = try file.open(maxSize: 3)
    #expect(try store.object(forKey: "a") == text("1"))
    #expect(try store.totalSize == 2)
  }

  @Test func settingsOfAnExistingDatabaseAreKept() throws {
    let raw = try file.raw()
    try raw.run(
      """
      PRAGMA application_id = 77; PRAGMA user_version = 5;
      CREATE TABLE people (name); INSERT INTO people VALUES ('Ada')
      """)
    let store = try file.open()
    try store.setObject(text("1"), forKey: "a")
    try store.removeAll()
    #expect(try raw.rows("SELECT name FROM people") == ["Ada"])
    #expect(try raw.rows("PRAGMA application_id") == ["77"])
    #expect(try raw.rows("PRAGMA user_version") == ["5"])
    #expect(try raw.rows("PRAGMA journal_mode") == ["wal"])
  }

  @Test(arguments: [
    (SQLiteConfig.Durability.full, "2"), (.normal, "1"), (.off, "0"),
  ])
  func durabilityReachesTheWriter(_ durability: SQLiteConfig.Durability, _ expected: String) throws {
    let store = try file.open(durability: durability)
    let found = Shared("")
    try store.engine.transaction { connection in
      // The setting cannot be changed within a transaction, but it can be read.
      try connection.run(sql: "PRAGMA synchronous") { row in
        let value = try row.text(0) ?? String(row.integer(0))
        found.change { $0 = value }
      }
    }
    #expect(found.value == expected)
  }

  @Test func manyStoresOpenANewFileAtOnce() async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        let file = file
        group.addTask {
          try await onThread {
            try file.open(table: "t\(number % 3)", maxSize: 1000).setObject(text("1"), forKey: "\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    let counts = try (0..<3).map { try file.open(table: "t\($0)").keys().count }
    #expect(counts == [3, 3, 2])
  }
}
