import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("Updates in LMDBStorage") struct LMDBUpdateTests {
  private let folder = LMDBFolder()

  private func count(_ data: Data) -> Int { Int(String(decoding: data, as: UTF8.self)) ?? -1 }

  @Test func noUpdateIsLost() async throws {
    let stores = try (0..<4).map { _ in try folder.open() }
    try stores[0].setObject(text("0"), forKey: "counter", expiry: .seconds(60))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask {
          try await onThread {
            for _ in 0..<250 { try store.update(forKey: "counter") { $0 = text("\(count($0) + 1)") } }
          }
        }
      }
      try await group.waitForAll()
    }
    let entry = try #require(try stores[0].entryIfPresent(forKey: "counter"))
    #expect(count(entry.object) == 1000)
    #expect(entry.expiry == .date(folder.time.now + 60))
  }

  @Test func whatFailsChangesNothing() throws {
    let store = try folder.open()
    try store.setObject(text("old"), forKey: "key")
    #expect(throws: Failure.second) {
      try store.update(forKey: "key") {
        $0 = text("new")
        throw Failure.second
      }
    }
    #expect(try store.object(forKey: "key") == text("old"))
    #expect(failure { try store.update(forKey: "none") { _ in } } == .notFound)
    try store.setObject(text("gone"), forKey: "expired", expiry: .seconds(0))
    #expect(failure { try store.update(forKey: "expired") { _ in } } == .notFound)
    #expect(try store.update(forKey: "key") { $0.append(text("er")) } == text("older"))
  }

  @Test func aWriteInsideAnUpdateIsRefusedAndAReadIsNot() throws {
    let store = try folder.open()
    let neighbour = try folder.open(Int.self) { $0.database = "numbers" }
    try store.setObject(text("old"), forKey: "key")
    try store.update(forKey: "key") { value in
      #expect(failure { try store.setObject(text("x"), forKey: "other") } == .deadlock)
      #expect(failure { try neighbour.setObject(text("x"), forKey: 1) } == .deadlock)
      #expect(failure { try store.update(forKey: "key") { _ in } } == .deadlock)
      #expect(failure { _ = try folder.open { $0.database = "third" } } == .deadlock)
      value = try store.object(forKey: "key") + text(" and new")
    }
    #expect(try store.object(forKey: "key") == text("old and new"))
    #expect(try store.keys() == ["key"])
    try neighbour.setObject(text("x"), forKey: 1)
  }

  @Test func runsAgainWhenTheMapHasToGrow() throws {
    let store = try folder.open { $0.firstMapSize = 1 << 16 }
    try store.setObject(text("old"), forKey: "key")
    var seen: [Data] = []
    try store.update(forKey: "key") { value in
      seen.append(value)
      value = bytes(1 << 20)
    }
    #expect(seen.count > 1 && Set(seen) == [text("old")])
    #expect(try store.object(forKey: "key") == bytes(1 << 20))
  }
}
