import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRocksDB

struct RocksDBUpdateTests {
  let folder = TestFolder()

  private static func increment(_ value: inout Data) {
    value = text("\((Int(String(decoding: value, as: UTF8.self)) ?? -1) + 1)")
  }

  @Test(arguments: [0, 1 << 20] as [UInt]) func noUpdateIsLost(maxSize: UInt) async throws {
    let stores = try (0..<4).map { _ in try folder.open { $0.maxSize = maxSize } }
    try await stores[0].setObject(text("0"), forKey: "n", expiry: .seconds(600))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask {
          try await onThread { for _ in 0..<250 { try store.update(forKey: "n", Self.increment) } }
        }
      }
      try await group.waitForAll()
    }
    let entry = try await stores[0].entry(forKey: "n")
    #expect(entry.object == text("1000"))
    #expect(entry.expiry != .never)
    if maxSize > 0 { #expect(try stores[0].totalSize == 5) }
  }

  @Test func aTooLargeUpdateChangesNothing() throws {
    let limited = try folder.open { $0.maxSize = 100 }
    try limited.setObject(text("1"), forKey: "m", expiry: nil)
    #expect(failure { try limited.update(forKey: "m") { $0 = bytes(200) } } == .tooLarge)
    #expect(try limited.object(forKey: "m") == text("1"))
  }

  @Test func anUpdateRunsAgainOnAConcurrentWrite() throws {
    let store = try folder.open()
    try store.setObject(text("1"), forKey: "n", expiry: nil)
    var seen: [Data] = []
    try store.update(forKey: "n") { value in
      seen.append(value)
      let changes: [(String, Expiry)] = [("5", .never), ("5", .seconds(60))]
      if seen.count <= changes.count {
        let (value, expiry) = changes[seen.count - 1]
        onAnotherThread {
          #expect(throws: Never.self) {
            try store.setObjects(["a": text("a"), "n": text(value)], expiry: expiry)
          }
        }
      }
      Self.increment(&value)
    }
    #expect(seen == [text("1"), text("5"), text("5")])
    #expect(try store.object(forKey: "n") == text("6"))
    #expect(try store.expiryIfPresent(forKey: "n") != .never)
  }

  @Test func anUpdateCannotWriteItsOwnKey() throws {
    let store = try folder.open()
    let second = try folder.open()
    try store.setObject(text("0"), forKey: "n", expiry: nil)
    let writes: [() throws -> Void] = [
      { try store.setObject(text("x"), forKey: "n", expiry: nil) },
      { try second.setObjects(["m": text("x"), "n": text("x")], expiry: nil) },
      { try store.removeObject(forKey: "n") },
      { try second.removeObjects(forKeys: ["n"]) },
      { try second.update(forKey: "n", Self.increment) },
    ]
    for write in writes {
      try store.update(forKey: "n") { value in
        let error = failure(write)
        #expect(error == .deadlock)
        #expect(error?.key as? String == "n")
        try second.setObject(value, forKey: "other", expiry: nil)
        Self.increment(&value)
      }
    }
    #expect(try store.object(forKey: "n") == text("5"))
    #expect(try store.keys() == ["n", "other"])
  }
}
