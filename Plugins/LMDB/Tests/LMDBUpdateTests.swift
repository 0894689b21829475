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
    try await stores[0].setObject(text("0"), forKey: "counter", expiry: .seconds(60))
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
    let entry = try await #require(try stores[0].entryIfPresent(forKey: "counter"))
    #expect(count(entry.object) == 1000)
    #expect(entry.expiry == .date(folder.time.date + 60))
  }

  @Test func anUpdateCanUseOtherKeysAndStores() throws {
    let store = try folder.open()
    let neighbour = try folder.open(Int.self) { $0.database = "numbers" }
    try store.setObject(text("1"), forKey: "key")
    try store.update(forKey: "key") { value in
      try store.setObjects(["other": text("x")], expiry: nil)
      try neighbour.setObject(value, forKey: 1)
      try folder.open { $0.database = "third" }.setObject(value, forKey: "key")
      value = try store.object(forKey: "key") + text("2")
    }
    #expect(try store.object(forKey: "key") == text("12"))
    #expect(try store.keys().sorted() == ["key", "other"])
    #expect(try neighbour.object(forKey: 1) == text("1"))
  }

  @Test func anUpdateCannotWriteItsOwnKey() throws {
    let store = try folder.open()
    let second = try folder.open()
    try store.setObject(text("0"), forKey: "é")
    let writes: [() throws -> Void] = [
      { try store.setObject(text("x"), forKey: "e\u{301}") },
      { try second.setObjects(["m": text("x"), "é": text("x")], expiry: nil) },
      { try store.removeObject(forKey: "é") },
      { try second.removeObjects(forKeys: ["é"]) },
      { try second.update(forKey: "é") { $0 = text("x") } },
    ]
    for write in writes {
      try store.update(forKey: "é") { value in
        let error = failure(write)
        #expect(error == .deadlock)
        #expect(error?.key as? String == "é")
        #expect(error?.place == store.path)
        value = text("\(count(value) + 1)")
      }
    }
    #expect(try store.object(forKey: "é") == text("5"))
    #expect(try store.keys() == ["é"])
  }

  @Test func anUpdateRunsAgainOnAConcurrentWrite() throws {
    let store = try folder.open { $0.firstMapSize = 1 << 16 }
    try store.setObject(text("old"), forKey: "key")
    var seen: [Data] = []
    try store.update(forKey: "key") { value in
      seen.append(value)
      // A change of only the expiry counts; writing the same entry does not.
      let changes: [(Data, Expiry)] = [(text("new"), .never), (text("new"), .seconds(60))]
      if seen.count <= changes.count {
        let (value, expiry) = changes[seen.count - 1]
        onAnotherThread {
          #expect(throws: Never.self) { try store.setObject(value, forKey: "key", expiry: expiry) }
        }
      }
      value = bytes(1 << 20)
    }
    #expect(seen == [text("old"), text("new"), text("new")])
    let entry = try store.entry(forKey: "key")
    #expect(entry.object == bytes(1 << 20))
    #expect(entry.expiry == .date(folder.time.date + 60))
  }

  @Test func anUpdateOfARemovedEntryThrowsNotFound() throws {
    let store = try folder.open()
    try store.setObject(text("old"), forKey: "key")
    let error = failure { try store.update(forKey: "key") { _ in try store.removeAll() } }
    #expect(error == .notFound)
    #expect(try store.keys() == [])
  }

  /// Each update writes to the other's folder. One of the two is refused, and neither hangs.
  @Test func updatesOfTwoFoldersDoNotWaitForEachOther() async throws {
    let other = LMDBFolder()
    let stores = try [folder.open(), other.open()]
    for store in stores { try await store.setObject(text("0"), forKey: "key") }
    let arrived = Shared(0)
    let errors = try await withThrowingTaskGroup(of: StorageError?.self) { group in
      for index in 0..<2 {
        group.addTask {
          try await onThread {
            failure {
              try stores[index].update(forKey: "key") { _ in
                arrived.change { $0 += 1 }
                while arrived.value < 2 { sched_yield() }
                try stores[1 - index].update(forKey: "key") { $0 = text("1") }
              }
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(errors.compactMap { $0 }.contains(.deadlock))
    #expect(
      try await errors.contains(nil) == (stores[0].object(forKey: "key") != stores[1].object(forKey: "key")))
  }
}
