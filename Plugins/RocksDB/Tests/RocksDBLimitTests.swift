import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRocksDB

struct RocksDBLimitTests {
  let folder = TestFolder()

  /// With a key of one byte, an entry of 100 bytes.
  private let value = bytes(99)

  private func fill(_ store: RocksDBStorage<String>, _ keys: String...) throws {
    for key in keys { try store.setObject(value, forKey: key, expiry: nil) }
  }

  @Test func theLeastRecentlyUsedEntryIsEvicted() throws {
    let store = try folder.open { $0.maxSize = 300 }
    try fill(store, "a", "b", "c")
    _ = try store.object(forKey: "a")
    try fill(store, "d")
    #expect(try store.keys() == ["a", "c", "d"])
    _ = try store.entries(forKeys: ["c"])
    _ = try store.expiryIfPresent(forKey: "a")
    try fill(store, "e")
    #expect(try store.keys() == ["c", "d", "e"])
  }

  @Test func theSizeCountsKeysAndValues() throws {
    let free = try folder.open()
    #expect(try free.totalSize == 0)
    try free.setObjects(["a": value, "é": value], expiry: nil)
    try free.setObject(value, forKey: "c", expiry: .seconds(60))
    #expect(try free.totalSize == 301)
    let limited = try folder.open { $0.maxSize = 1000 }
    #expect(try limited.totalSize == 301)
    try free.removeObject(forKey: "a")
    for store in [free, limited] { #expect(try store.totalSize == 201) }
  }

  @Test func anOverwriteCountsOnce() throws {
    let store = try folder.open { $0.maxSize = 300 }
    try fill(store, "a", "b", "c", "a", "b", "c", "c")
    #expect(try store.keys() == ["a", "b", "c"])
    try store.removeObject(forKey: "a")
    try fill(store, "d")
    #expect(try store.keys() == ["b", "c", "d"])
    try store.removeAll()
    try fill(store, "x", "y", "z")
    #expect(try store.keys() == ["x", "y", "z"])
  }

  @Test func aTooLargeValueChangesNothing() throws {
    let store = try folder.open { $0.maxSize = 300 }
    try fill(store, "a", "b")
    #expect(failure { try store.setObject(bytes(300), forKey: "a", expiry: nil) } == .tooLarge)
    let batch = ["a": text("1"), "c": bytes(200), "d": bytes(100)]
    #expect(failure { try store.setObjects(batch, expiry: nil) } == .tooLarge)
    #expect(try store.keys() == ["a", "b"])
    #expect(try store.object(forKey: "a") == value)
    try store.setObject(bytes(299), forKey: "a", expiry: nil)
    #expect(try store.keys() == ["a"])
  }

  @Test func aBatchEvictsNoMoreThanNecessary() throws {
    let store = try folder.open { $0.maxSize = 300 }
    try fill(store, "a", "b", "c")
    try store.setObjects(["a": value, "d": value], expiry: nil)
    #expect(try store.keys() == ["a", "c", "d"])
  }

  @Test func existingEntriesAreCounted() throws {
    try folder.open().setObjects(["a": value, "b": value, "c": value], expiry: nil)
    let other = try folder.open()
    let store = try folder.open { $0.maxSize = 300 }
    try fill(store, "d")
    #expect(try store.keys() == ["b", "c", "d"])
    // Writes by a store without a limit count for the store with one.
    try other.setObject(value, forKey: "e", expiry: nil)
    try other.removeObject(forKey: "b")
    try other.removeObjects(forKeys: ["c"])
    try fill(store, "f")
    #expect(try store.keys() == ["d", "e", "f"])
  }

  @Test func sweptEntriesAreNoLongerCounted() throws {
    let time = ManualClock()
    let store = try folder.open {
      $0.maxSize = 300
      $0.clock = time.clock
    }
    try fill(store, "a")
    try store.setObject(value, forKey: "b", expiry: .seconds(1))
    try store.setObject(value, forKey: "c", expiry: .seconds(1))
    time.advance(by: 2)
    try store.removeExpiredObjects()
    try fill(store, "d", "e")
    #expect(try store.keys() == ["a", "d", "e"])
  }

  /// Compares the order with a model, over many writes, reads and removals.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func theLimitHoldsAfterEveryWrite(seed: UInt64) throws {
    let store = try folder.open { $0.maxSize = 1000 }
    var generator = SeededGenerator(seed: seed)
    var model: [(key: String, size: Int)] = []
    func use(_ key: String, _ size: Int?) {
      let known = model.firstIndex { $0.key == key }.map { model.remove(at: $0).size }
      if let size = size ?? known { model.append((key, size)) }
    }
    for _ in 0..<3000 {
      let key = "\(Int.random(in: 10..<60, using: &generator))"
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        try store.removeObject(forKey: key)
        model.removeAll { $0.key == key }
      case 1...4:
        let isThere = try store.objectIfPresent(forKey: key) != nil
        #expect(isThere == model.contains { $0.key == key })
        use(key, nil)
      default:
        let size = Int.random(in: 0..<200, using: &generator)
        try store.setObject(Data(count: size), forKey: key, expiry: nil)
        use(key, size + 2)
        while model.reduce(0, { $0 + $1.size }) > 1000 { model.removeFirst() }
      }
    }
    #expect(try store.keys() == model.map(\.key).sorted())
  }
}
