import CLMDB
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("The limit of LMDBStorage") struct LMDBLimitTests {
  private let folder = LMDBFolder()

  @Test(arguments: [0, 100, 1500, 5000, 70_000])
  func holdsAfterEveryWriteAndKeepsTheNewest(_ size: Int) throws {
    let limit = 200_000
    let store = try folder.open(Int.self) { $0.maxSize = UInt(limit) }
    let count = size < 1000 ? 4000 : 300
    for key in 0..<count {
      let expiry: Expiry = key % 3 == 0 ? .never : .seconds(Double(1000 + key))
      try store.setObject(bytes(size, seed: UInt64(key)), forKey: key, expiry: expiry)
      #expect(try store.totalSize <= limit)
      #expect(try store.objectExists(forKey: key))
    }
    let kept = try store.keys().sorted()
    #expect(kept.count < count && kept == Array(count - kept.count..<count))
    // At most half of each page may be empty.
    #expect(kept.count * (size + 40) * 4 > limit - 2 * size)
    for key in kept { #expect(try store.object(forKey: key) == bytes(size, seed: UInt64(key))) }
  }

  @Test func expiredEntriesAreEvictedFirst() throws {
    let store = try folder.open(Int.self) { $0.maxSize = 200_000 }
    for key in 0..<10 { try store.setObject(bytes(10_000), forKey: key) }
    for key in 10..<13 { try store.setObject(bytes(10_000), forKey: key, expiry: .seconds(10)) }
    folder.time.advance(by: 11)
    for key in 20..<25 { try store.setObject(bytes(10_000), forKey: key) }
    #expect(try Set(store.keys()) == Set(0..<10).union(20..<25))
  }

  @Test func anOverwrittenEntryCountsAsNew() throws {
    let store = try folder.open(Int.self) { $0.maxSize = 100_000 }
    for key in 0..<6 { try store.setObject(bytes(10_000), forKey: key) }
    try store.setObject(bytes(10_000, seed: 2), forKey: 0)
    for key in 6..<12 where try store.keys().count == key { try store.setObject(bytes(10_000), forKey: key) }
    for key in 100..<115 where try store.objectExists(forKey: 1) {
      try store.setObject(bytes(10_000), forKey: key)
    }
    #expect(try !store.objectExists(forKey: 1))
    #expect(try store.object(forKey: 0) == bytes(10_000, seed: 2))
  }

  @Test func theLimitHoldsAfterABatchAndAnUpdate() throws {
    let limit = 100_000
    let store = try folder.open(Int.self) { $0.maxSize = UInt(limit) }
    try store.setObjects(Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, bytes(5000)) }), expiry: nil)
    #expect(try store.totalSize <= limit)
    let key = try #require(try store.keys().first)
    try store.update(forKey: key) { $0 = bytes(80_000) }
    #expect(try store.totalSize <= limit)
    #expect(try store.object(forKey: key) == bytes(80_000))
  }

  /// Exact to the byte: a refused value would not have fitted, and an accepted one is kept.
  @Test(arguments: [Expiry.never, .seconds(60)], [3, 4, 40]) func theLargestValueThatFits(
    _ expiry: Expiry, _ pages: Int
  ) throws {
    let page = Int(getpagesize())
    for key in ["k", String(repeating: "k", count: 400), String(repeating: "k", count: 5000)] {
      let store = try folder.open { $0.maxSize = UInt(pages * page) }
      var (fits, tooLarge) = (-1, pages * page)
      while tooLarge - fits > 1 {
        let size = (fits + tooLarge) / 2
        do {
          try store.setObject(bytes(size), forKey: key, expiry: expiry)
          #expect(try store.totalSize <= pages * page)
          #expect(try store.entryIfPresent(forKey: key)?.object.count == size)
          fits = size
        } catch StorageError.tooLarge { tooLarge = size }
      }
      try store.removeAll()
      #expect(fits >= 0 || key.utf8.count > (pages - 3) * page)
      // A value one byte larger, in a store with a higher limit, exceeds the first limit.
      let unlimited = try folder.open { $0.maxSize = 1 << 30 }
      try unlimited.setObject(bytes(tooLarge), forKey: key, expiry: expiry)
      #expect(try unlimited.totalSize > pages * page)
      try unlimited.removeAll()
    }
  }

  @Test func aTooLargeValueChangesNothing() throws {
    let store = try folder.open { $0.maxSize = 50_000 }
    try store.setObjects(["a": text("1"), "b": text("2")], expiry: nil)
    let error = failure { try store.setObject(bytes(60_000), forKey: "a") }
    #expect(error == .tooLarge && error?.key as? String == "a" && error?.place == store.path)
    #expect(failure { try store.setObjects(["c": text("3"), "d": bytes(60_000)], expiry: nil) } == .tooLarge)
    #expect(failure { try store.update(forKey: "a") { $0 = bytes(60_000) } } == .tooLarge)
    #expect(try Set(store.keys()) == ["a", "b"])
    #expect(try store.object(forKey: "a") == text("1"))
  }

  @Test func entriesOfAStoreWithoutALimitCountAsTheOldest() throws {
    let free = try folder.open(Int.self)
    for key in 0..<20 { try free.setObject(bytes(10_000), forKey: key) }
    let limited = try folder.open(Int.self) { $0.maxSize = 150_000 }
    try limited.setObject(bytes(10_000), forKey: 100)
    #expect(try limited.totalSize <= 150_000)
    try free.setObject(bytes(10_000), forKey: 200)
    try limited.setObject(bytes(10_000), forKey: 101)
    func hasOldOnes() throws -> Bool { try limited.keys().contains { $0 < 100 || $0 == 200 } }
    for key in 1000..<1015 where try hasOldOnes() {
      #expect(try Set(limited.keys()).isSuperset(of: [100, 101]))
      try limited.setObject(bytes(10_000), forKey: key)
    }
    #expect(try !hasOldOnes())
    // Overwrites and removals by a store without a limit leave nothing in the order index.
    for key in try free.keys() { try free.setObject(text("small"), forKey: key) }
    try free.setObject(text("small"), forKey: 100)
    try free.removeObject(forKey: 101)
    try free.removeAll()
    #expect(try free.totalSize == 0)
  }
}
