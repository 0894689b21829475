import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataSQLite

/// A change of an entry whose old value is stored in parts is committed first, and the parts are removed in
/// transactions of their own. If one of those fails, the change has been made all the same.
@Suite(.serialized, .endsInTime) struct SQLiteTidyingTests {
  enum Change: CaseIterable {
    case set, batch, setIfAbsent, update, remove, removeAll

    /// Makes the change of the entry "a". `.setIfAbsent` replaces an entry that has expired.
    func make(in store: SQLiteStorage<String>) throws {
      switch self {
      case .set: try store.setObject(text("new"), forKey: "a")
      case .batch: try store.setObjects(["a": text("new"), "b": text("new")], expiry: nil)
      case .setIfAbsent: #expect(try store.change("a", .setIfAbsent(text("new"), nil), []))
      case .update: try store.update(forKey: "a") { $0 = text("new") }
      case .remove: try store.removeObject(forKey: "a")
      case .removeAll: try store.removeAll()
      }
    }

    var result: Data? { self == .remove || self == .removeAll ? nil : text("new") }
  }

  private static func parts(_ path: String) throws -> [String] {
    try RawDatabase(path).rows("SELECT count(*) FROM entries_parts")
  }

  @Test("a transaction that cannot remove the parts fails no call", arguments: Change.allCases)
  func refusedRemoval(_ change: Change) async throws {
    let (file, time) = (TestFile(), ManualClock())
    let store = try file.open(clock: time.clock)
    let expiry: Expiry? = change == .setIfAbsent ? .seconds(10) : nil
    try await store.write(forKey: "a", expiry: expiry, from: PartSequence(noise(1_000_000)))
    time.advance(by: 11)
    try file.raw().run(
      "CREATE TRIGGER keep BEFORE DELETE ON entries_parts BEGIN SELECT RAISE(ABORT, 'kept'); END")
    try change.make(in: store)
    #expect(try await store.objectIfPresent(forKey: "a") == change.result)
    #expect(try Self.parts(file.path) == ["4"])
    #expect(failure { try store.removeExpiredObjects() } == .backendFailed)
    try file.raw().run("DROP TRIGGER keep")
    try await store.removeExpiredObjects()
    #expect(try Self.parts(file.path) == ["0"])
    #expect(try await store.objectIfPresent(forKey: "a") == change.result)
  }

  #if os(Linux)
    /// Another process locks the file right after the entry was changed, for longer than a call waits.
    @Test(arguments: Change.allCases)
    func anotherProcessHasTheLock(_ change: Change) async throws {
      let (file, time) = (TestFile(), ManualClock())
      try await AfterCommit.watching {
        let store = try file.open(busyTimeout: 0.01, clock: time.clock)
        let expiry: Expiry? = change == .setIfAbsent ? .seconds(10) : nil
        try await store.write(forKey: "a", expiry: expiry, from: PartSequence(noise(1_000_000)))
        time.advance(by: 11)
        let raw = try RawDatabase(file.path)
        let failed = Locked<(any Error)?>(nil)
        AfterCommit.run {
          do {
            // A job of the store that looks for parts may commit before the change.
            let rows = try raw.rows("SELECT value FROM entries WHERE key = 'a'")
            guard rows == [] || rows == ["new"] else { return false }
            try raw.run("BEGIN IMMEDIATE")
          } catch { failed.withLock { $0 = error } }
          return true
        }
        try change.make(in: store)
        #expect(try await store.objectIfPresent(forKey: "a") == change.result)
        #expect(failed.withLock { $0 == nil })
        #expect(try raw.rows("SELECT count(*) FROM entries_parts") == ["4"])
        // A call that cannot begin has changed nothing.
        let error = failure { try store.setObject(text("late"), forKey: "a") }
        #expect((error?.cause as? SQLiteError)?.name == "SQLITE_BUSY")
        #expect(try await store.objectIfPresent(forKey: "a") == change.result)
        try raw.run("COMMIT")
        try await store.removeExpiredObjects()
        #expect(try Self.parts(file.path) == ["0"])
      }
    }

    /// The file system has room for some more pages: for none, for the entry alone, or also for the removal of parts.
    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
    func aCallThatThrowsBecauseTheDiskIsFullHasChangedNothing() async throws {
      var leftParts = 0
      for pages in 0..<24 {
        let disk = try SmallFileSystem(size: "8m")
        let path = disk.url.path + "/store.db"
        let store = try SQLiteStorage<String>(config: SQLiteConfig(path: path, durability: .off))
        try await store.write(forKey: "a", from: PartSequence(noise(1_000_000)))
        try disk.fill(except: pages * 4096)
        let error = failure { try store.setObject(text("new"), forKey: "a") }
        let isChanged = try await store.read(forKey: "a").length == 3
        #expect((error == nil) == isChanged, "\(pages) pages: \(error as Any)")
        if isChanged, try Self.parts(path) != ["0"] { leftParts += 1 }
        try disk.grow(to: "16m")
        try await store.removeExpiredObjects()
        #expect(try Self.parts(path) == (isChanged ? ["0"] : ["4"]))
      }
      #expect(leftParts > 0, "no round had room for the entry alone")
    }
  #endif
}
