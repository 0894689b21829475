#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import StrataSQLite
import TestSupport
import Testing

@Suite struct SQLiteUpdateTests {
  let file = TestFile()

  private static func increment(_ value: inout Data) {
    value = text(String((Int(String(decoding: value, as: UTF8.self)) ?? 0) + 1))
  }

  @Test func noUpdateIsLostBetweenStores() async throws {
    let stores = [try file.open(), try file.open(), try file.open(maxSize: 1000)]
    try await onThread { try stores[0].setObject(text("0"), forKey: "n") }
    try await withThrowingTaskGroup { group in
      for store in stores + stores {
        group.addTask {
          try await onThread { for _ in 0..<50 { try store.update(forKey: "n", Self.increment) } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await onThread { try stores[0].object(forKey: "n") } == text("300"))
  }

  @Test func anUpdateRunsAgainAfterAnotherProgramsChange() throws {
    let store = try file.open()
    let raw = try file.raw()
    try store.setObject(text("1"), forKey: "n")
    var seen: [Data] = []
    let stored = try store.update(forKey: "n") { value in
      seen.append(value)
      if seen.count == 1 { try raw.run("UPDATE entries SET value = x'3431'") }
      Self.increment(&value)
    }
    #expect(seen == [text("1"), text("41")])
    #expect(stored == text("42"))
    #expect(try store.object(forKey: "n") == text("42"))
  }

  @Test func anUpdateRunsAgainAfterAChangeOfTheExpiry() throws {
    let store = try file.open()
    let raw = try file.raw()
    try store.setObject(text("1"), forKey: "n")
    var runs = 0
    try store.update(forKey: "n") { value in
      runs += 1
      if runs == 1 { try raw.run("UPDATE entries SET expiry = 32503680000") }
      Self.increment(&value)
    }
    #expect(runs == 2)
    #expect(try store.expiryIfPresent(forKey: "n") == .date(Date(timeIntervalSince1970: 32_503_680_000)))
  }

  @Test func anUpdateCanUseOtherKeysAndStores() throws {
    let store = try file.open(busyTimeout: 0)
    let second = try file.open(busyTimeout: 0)
    let elsewhere = try file.open(table: "others", busyTimeout: 0)
    try store.setObject(text("1"), forKey: "n")
    try store.update(forKey: "n") { value in
      try store.setObject(text("a"), forKey: "a")
      try second.setObjects(["b": text("b")], expiry: nil)
      try elsewhere.setObject(value, forKey: "n")
      Self.increment(&value)
    }
    #expect(try store.keys().sorted() == ["a", "b", "n"])
    #expect(try elsewhere.object(forKey: "n") == text("1"))
    #expect(try store.object(forKey: "n") == text("2"))
  }

  @Test func storesOverALinkAndOverItsFileShareUpdates() throws {
    let store = try file.open()
    let link = file.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
    let linked = try SQLiteStorage<String>(config: SQLiteConfig(path: link))
    try store.setObject(text("1"), forKey: "n")
    try store.update(forKey: "n") { value in
      #expect(failure { try linked.removeObject(forKey: "n") } == .deadlock)
      Self.increment(&value)
    }
    #expect(try linked.object(forKey: "n") == text("2"))
  }

  @Test func anUpdateCannotWriteItsOwnKey() throws {
    let store = try file.open()
    let second = try file.open(table: "ENTRIES")
    try store.setObject(text("1"), forKey: "n")
    let writes: [() throws -> Void] = [
      { try store.setObject(text("x"), forKey: "n") },
      { try second.setObject(text("x"), forKey: "n") },
      { try second.setObjects(["m": text("x"), "n": text("x")], expiry: nil) },
      { try store.removeObject(forKey: "n") },
      { try store.removeObjects(forKeys: ["n"]) },
      { try second.update(forKey: "n", Self.increment) },
    ]
    for write in writes {
      try store.update(forKey: "n") { value in
        let error = failure(write)
        #expect(error == .deadlock)
        #expect(error?.key as? String == "n")
        Self.increment(&value)
      }
    }
    #expect(try store.object(forKey: "n") == text("7"))
    #expect(try store.keys() == ["n"])
  }
}
