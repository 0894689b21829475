import StrataCore
import StrataSQLite
import TestSupport
import Testing

/// What happens while somebody else has the file locked.
@Suite struct SQLiteBusyTests {
  let file = TestFile()

  @Test func aWriteGivesUpInTimeAndSaysWhy() throws {
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

  @Test func aWriteWaitsForTheOther() async throws {
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
    gate.open()
    try await other
    try await write
    #expect(try await onThread { try store.object(forKey: "a") } == text("ours"))
  }

  @Test func waitingInLineIsPartOfTheTime() async throws {
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
    // One after the other, the last would take six seconds.
    #expect(times.allSatisfy { $0 < .seconds(3) })
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
