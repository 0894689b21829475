import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite("Inspection of chains") struct HierarchyTests {
  private let near = DictionaryStorage<String, TypeWrapper>()
  private let far = DictionaryStorage<String, Data>()

  private var chain: SyncStorage<some SyncStorageAware<String, Int>> {
    SyncStorage(
      TypeWrapperStorage(
        HybridStorage(front: HybridStorage(front: near, back: far), back: far),
        transformer: .codable(Int.self)))
  }

  @Test("a chain is described as a tree")
  func tree() {
    #expect(
      chain.storageHierarchy() == """
        SyncStorage
        └─ TypeWrapperStorage
           └─ HybridStorage
              ├─ HybridStorage
              │  ├─ DictionaryStorage
              │  └─ DictionaryStorage
              └─ DictionaryStorage
        """)
  }

  @Test("a chain is described as a flowchart, in which a shared store is one node")
  func mermaid() {
    #expect(
      chain.storageHierarchy(.mermaid) == """
        flowchart TD
          s1["SyncStorage"]
          s2["TypeWrapperStorage"]
          s3["HybridStorage"]
          s4["HybridStorage"]
          s5["DictionaryStorage"]
          s4 --> s5
          s6["DictionaryStorage"]
          s4 --> s6
          s3 --> s4
          s3 --> s6
          s2 --> s3
          s1 --> s2
        """)
  }

  @Test("reach returns the first link of a type, the front before the back")
  func reach() {
    #expect(chain.reach(toFirst: DictionaryStorage<String, Data>.self) === far)
    #expect(chain.reach(toFirst: DictionaryStorage<String, TypeWrapper>.self) === near)
    #expect(chain.reach(toFirst: DictionaryStorage<Int, Data>.self) == nil)
    #expect(chain.reachToFirst { $0.wrappedStorages.count == 2 }?.storageName == "HybridStorage")
    #expect(chain.reachToFirst(where: { $0.storageName == "nobody" }) == nil)
    #expect(chain.reachToFirst(whereNotNil: { ($0 as? DictionaryStorage<String, Data>)?.objects.count }) == 0)
    #expect(near.reach(toFirst: DictionaryStorage<String, TypeWrapper>.self) === near, "itself included")
  }

  @Test("an obscured store shows only its name, and works as before")
  func obscured() async throws {
    let obscured = chain.obscureWrappedStorages()
    #expect(obscured.storageHierarchy() == "SyncStorage")
    #expect(obscured.reach(toFirst: DictionaryStorage<String, Data>.self) == nil)
    func useWithoutAwait() throws {
      try obscured.setObject(1, forKey: "a", expiry: .seconds(60))
      try obscured.setObjects(["b": 2, "c": 3], expiry: nil)
      #expect(try obscured.entries(forKeys: ["a", "b"]).mapValues(\.object) == ["a": 1, "b": 2])
      try obscured.removeObjects(forKeys: ["b"])
      #expect(try Set(obscured.keys()) == ["a", "c"])
      #expect(try obscured.expiryIfPresent(forKey: "a") != .never)
      try obscured.removeInMemoryObject(forKey: "a")
      try obscured.removeExpiredObjects()
      try obscured.removeObject(forKey: "c")
    }
    try useWithoutAwait()
    #expect(try await obscured.object(forKey: "a") == 1)
    let slow = SlowStorage(far).obscureWrappedStorages()
    #expect(try await slow.keys() == ["a"])
    try await slow.removeAll()
    #expect(far.objects.isEmpty)
  }

  private struct Reading: ReadableStorage {
    func retrieve(forKey key: String) async throws -> Int { key.count }
  }
  private struct Writing: WritableStorage {
    let written = Shared<[String: Int]>([:])
    func set(_ value: Int, forKey key: String) async throws { written.change { $0[key] = value } }
  }
  private struct Both: ReadableStorage, WritableStorage {
    let written = Shared<[String: Int]>([:])
    func retrieve(forKey key: String) async throws -> Int { written.value[key] ?? 0 }
    func set(_ value: Int, forKey key: String) async throws { written.change { $0[key] = value } }
  }

  @Test("stores that only read, only write, or do both can be obscured too")
  func halves() async throws {
    #expect(try await Reading().obscureWrappedStorages().retrieve(forKey: "four") == 4)
    let writing = Writing()
    try await writing.obscureWrappedStorages().set(7, forKey: "a")
    #expect(writing.written.value == ["a": 7])
    let both = Both().obscureWrappedStorages()
    try await both.set(8, forKey: "b")
    #expect(try await both.retrieve(forKey: "b") == 8)
    #expect(both.storageName == "Both")
  }
}
