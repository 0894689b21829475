import StrataCore
import TestSupport
import Testing

@testable import StrataSQLite

/// Operations while another process or program has the file locked.
@Suite struct SQLiteBusyTests {
  let file = TestFile()

  @Test func aWriteThrowsAfterItsTimeoutAndNamesTheCause() throws {
    let store = try file.open(busyTimeout: 0.05)
    try store.setObject(text("old"), forKey: "a")
    let other = try file.raw()
    try other.run("BEGIN IMMEDIATE; DELETE FROM entries")
    let error = failure { try store.setObject(text("new"), forKey: "a") }
    #expect(error == .backendFailed)
    #expect((error?.cause as? SQLiteError)?.code == 5)
    #expect(error?.message.contains("another process") == true)
    #expect(error?.message.contains("SQLITE_BUSY (5): database is locked") == true)
    #expect(error?.place == file.path)
    #expect(error?.key as? String == "a")
    #expect(try store.object(forKey: "a") == text("old"))
    try other.run("ROLLBACK")
    try store.setObject(text("new"), forKey: "a")
    #expect(try store.object(forKey: "a") == text("new"))
  }

  @Test func aWriteLocksTheFileFromItsBeginning() throws {
    let store = try file.open()
    let other = try file.raw()
    try store.engine.transaction { _ -> Void in
      #expect(throws: RawFailure.self) { try other.run("DELETE FROM entries") }
    }
    try other.run("DELETE FROM entries")
  }

  @Test func aWriteWaitsForAnotherProgramsTransaction() async throws {
    let store = try file.open(busyTimeout: 60)
    let file = file
    let gate = ThreadGate()
    async let other: Void = onThread {
      let raw = try file.raw()
      try raw.run("BEGIN IMMEDIATE; INSERT INTO entries(key, value) VALUES ('a', 'theirs')")
      gate.pass()
      try raw.run("COMMIT")
    }
    await gate.arrival()
    async let write: Void = onThread { try store.setObject(text("ours"), forKey: "a") }
    // By now the write is usually waiting; it must succeed in any case.
    try await Task.sleep(for: .milliseconds(50))
    gate.open()
    try await other
    try await write
    #expect(try await onThread { try store.object(forKey: "a") } == text("ours"))
  }

  @Test func waitingInTheProcessCountsTowardsTheTimeout() async throws {
    let store = try file.open(busyTimeout: 0.5)
    let other = try file.raw()
    try other.run("BEGIN IMMEDIATE")
    let times = try await withThrowingTaskGroup(of: Duration.self) { group in
      for number in 0..<12 {
        group.addTask {
          try await onThread {
            let start = ContinuousClock.now
            let error = failure { try store.setObject(text("x"), forKey: "\(number)") }
            #expect((error?.cause as? SQLiteError)?.name == "SQLITE_BUSY")
            return ContinuousClock.now - start
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // If the waits were added up, the last would take six seconds.
    #expect(times.allSatisfy { $0 < .seconds(3) })
  }

  /// Another program's database has no write-ahead log yet, and its open read transaction prevents one.
  private func readingElsewhere() throws -> RawDatabase {
    let other = try file.raw()
    try other.run("CREATE TABLE people (name); INSERT INTO people VALUES ('Ada')")
    try other.run("BEGIN; SELECT * FROM people")
    return other
  }

  @Test func openingWaitsForReadersOfOtherPrograms() async throws {
    let file = file
    let raw = try readingElsewhere()
    async let opened = onThread {
      let store = try file.open(busyTimeout: 60)
      try store.setObject(text("1"), forKey: "a")
    }
    // By now the opening has usually begun; it must succeed in any case.
    try await Task.sleep(for: .milliseconds(50))
    try raw.run("COMMIT")
    try await opened
    #expect(try raw.rows("SELECT key FROM entries") == ["a"])
  }

  @Test func openingThrowsAfterItsTimeout() throws {
    let raw = try readingElsewhere()
    let before = try file.bytes
    let error = failure { try file.open(busyTimeout: 0.05) }
    #expect((error?.cause as? SQLiteError)?.name == "SQLITE_BUSY")
    #expect(try file.bytes == before)
    try raw.run("COMMIT")
  }

  @Test func readsDoNotWait() throws {
    let store = try file.open(busyTimeout: 60)
    try store.setObject(text("1"), forKey: "a")
    let other = try file.raw()
    try other.run("BEGIN IMMEDIATE; UPDATE entries SET value = 'theirs'")
    #expect(try store.object(forKey: "a") == text("1"))
    #expect(try store.entries(forKeys: ["a", "b"]).count == 1)
    #expect(try store.keys() == ["a"])
  }
}
