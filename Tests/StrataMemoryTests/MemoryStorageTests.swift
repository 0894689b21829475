import Foundation
import StrataMemory
import Testing

@Suite("MemoryStorage: live values by key")
struct MemoryStorageTests {
  let memory = MemoryStorage<String, Int>()

  @Test("a written value is read until it is overwritten or removed")
  func basics() throws {
    #expect(try memory.objectIfPresent(forKey: "a") == nil)
    try memory.setObject(1, forKey: "a")
    #expect(try memory.object(forKey: "a") == 1)
    #expect(memory.peek(forKey: "a") == Entry(object: 1))
    try memory.setObject(2, forKey: "a")
    #expect(try memory.entry(forKey: "a") == Entry(object: 2))
    #expect(memory.count == 1)
    try memory.removeObject(forKey: "a")
    #expect(try memory.entryIfPresent(forKey: "a") == nil)
    #expect(memory.peek(forKey: "a") == nil)
    #expect(memory.count == 0)
  }

  @Test("an absent value is `nil` or `.notFound` with its key, and removing it does nothing")
  func absent() throws {
    let error = try #require(throws: StorageError.self) { try memory.object(forKey: "a") }
    #expect(error == .notFound)
    #expect(error.key as? String == "a")
    #expect(try !memory.objectExists(forKey: "a"))
    #expect(try memory.isExpiredObject(forKey: "a"))
    #expect(try memory.expiryIfPresent(forKey: "a") == nil)
    try memory.removeObject(forKey: "a")
    try memory.removeInMemoryObject(forKey: "a")
    try memory.removeObjects(forKeys: ["a", "b"])
    try memory.removeAll()
    try memory.removeExpiredObjects()
    #expect(memory.count == 0)
  }

  @Test("a dictionary's values are there from the start and never expire", arguments: [0, 1, 5000])
  func fromDictionary(_ count: Int) throws {
    let dictionary = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, "\($0)") })
    let memory = MemoryStorage(dictionary: dictionary)
    #expect(memory.count == count)
    let entries = try memory.entries(forKeys: Array(dictionary.keys))
    #expect(entries == dictionary.mapValues { Entry(object: $0, expiry: .never) })
  }

  @Test("batches read, write and remove many keys; absent keys are missing from the result")
  func batches() throws {
    try memory.setObjects(["a": 1, "b": 2, "c": 3], expiry: nil)
    #expect(try memory.entries(forKeys: ["a", "c", "x"]).mapValues(\.object) == ["a": 1, "c": 3])
    #expect(try memory.entries(forKeys: []).isEmpty)
    try memory.removeObjects(forKeys: ["a", "x"])
    #expect(Set(try memory.keys()) == ["b", "c"])
  }

  @Test("`keys` lists each key once, `allObjects` each value", arguments: [0, 1, 100, 5000])
  func listing(_ count: Int) throws {
    let memory = MemoryStorage<Int, Int>()
    for key in 0..<count { try memory.setObject(-key, forKey: key) }
    for key in 0..<count where key % 3 == 0 { try memory.setObject(1, forKey: key) }
    #expect(try memory.keys().sorted() == Array(0..<count))
    #expect(try memory.allObjects().count == count)
    #expect(memory.count == count)
    try memory.removeAll()
    #expect(try memory.keys() == [])
    #expect(memory.count == 0)
  }

  @Test("equal keys are one key, whatever their bytes")
  func equalKeys() throws {
    try memory.setObject(1, forKey: "caf\u{E9}")
    try memory.setObject(2, forKey: "cafe\u{301}")
    #expect(memory.count == 1)
    #expect(try memory.object(forKey: "caf\u{E9}") == 2)
  }

  @Test("it never blocks, wraps no store, and has a name and a coordinator")
  func design() {
    #expect(!memory.mayBlock)
    #expect(memory.wrappedStorages.isEmpty)
    #expect(memory.storageName == "MemoryStorage")
    #expect(memory.coordinator != nil)
    #expect(memory.coordinator === memory.coordinator)
    #expect(memory.coordinator !== MemoryStorage<String, Int>().coordinator)
  }
}
