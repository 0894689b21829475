import Foundation
import Strata
import TestSupport
import Testing

/// A value that was read from the back is first in memory as bytes. A reader decodes it once, and the object replaces
/// the bytes: memory then holds the same as after a write.
@Suite("A value that was read and decoded") struct DecodedValueTests {
  /// A record, and a view of a part of it.
  private struct Person: Codable, Equatable { var name = "Ada", born = 1815 }
  private struct Named: Codable, Equatable { var name: String }

  private let memory: MemoryStorage<String, TypeWrapper>
  /// The last value that was removed from memory.
  private let left = Shared<TypeWrapper?>(nil)
  private let back = DictionaryStorage<String, Data>()
  private let encoded = Shared(0)
  private let decoded = Shared(0)

  init() {
    memory = MemoryStorage(
      config: MemoryConfig(totalCostLimit: 1_000),
      onRemoval: { [left] removal in left.change { $0 = removal.value } })
  }

  /// A transformer that counts its calls.
  private var counted: Transformer<Int> {
    Transformer(
      toData: { [encoded] number in
        encoded.change { $0 += 1 }
        return Data("\(number)".utf8)
      },
      fromData: { [decoded] data in
        decoded.change { $0 += 1 }
        return data.count
      })
  }

  /// The ways to a value of a chain.
  enum Way: CaseIterable, Sendable { case storage, await, view, links, entries, peek }

  private func read(_ way: Way, _ storage: Storage<String, Int>, _ transformer: Transformer<Int>) async throws
    -> Int?
  {
    switch way {
    case .storage: try blocking { try storage.object(forKey: "a") }
    case .await: try await storage.async.object(forKey: "a")
    case .view: try blocking { try storage.transform(to: transformer).object(forKey: "a") }
    case .links:
      try await TypeWrapperStorage(HybridStorage(front: memory, back: back), transformer: transformer)
        .object(forKey: "a")
    case .entries: try blocking { try storage.entries(forKeys: ["a"])["a"]?.object }
    case .peek:
      if let entry = storage.peek(forKey: "a") {
        entry.object
      } else {
        try await read(.await, storage, transformer)
      }
    }
  }

  @Test("is held as a written one is, from its second read on, and decoded once", arguments: Way.allCases)
  func heldAsWritten(_ way: Way) async throws {
    try blocking { try back.setObject(Data(repeating: 1, count: 300), forKey: "a") }
    let transformer = counted
    let storage = Storage(front: memory, back: back, transformer: transformer)
    for _ in 0..<2 { #expect(try await read(way, storage, transformer) == 300) }
    try blocking { try storage.removeInMemoryObject(forKey: "a") }
    let held = try #require(left.value)
    #expect(type(of: held) == type(of: TypeWrapper.holding(300, transformer: transformer)))
    #expect(held.byteCount == 300)
    #expect(decoded.value == 1 && encoded.value == 0)
  }

  @Test("is one object, whoever reads it")
  func sameObject() async throws {
    try blocking { try back.setObject(Data(repeating: 1, count: 300), forKey: "a") }
    let transformer = counted
    let storage = Storage(front: memory, back: back, transformer: transformer)
    #expect(try await read(.storage, storage, transformer) == 300)
    let held = memory.peek(forKey: "a")?.object
    for way in Way.allCases { #expect(try await read(way, storage, transformer) == 300) }
    #expect(held != nil && memory.peek(forKey: "a")?.object === held)
    #expect(decoded.value == 1 && back.calls(.read) == 1)
  }

  @Test("costs its bytes, before and after, until it leaves")
  func cost() throws {
    let storage = Storage(front: memory, back: back, transformer: counted)
    for (key, size) in [("a", 300), ("b", 400)] {
      try back.setObject(Data(repeating: 1, count: size), forKey: key)
      for _ in 0..<3 { #expect(try storage.object(forKey: key) == size) }
    }
    #expect(memory.statistics.cost == 700)
    #expect(memory.peek(forKey: "a")?.object.byteCount == 300)
    try back.setObject(Data(repeating: 1, count: 500), forKey: "c")
    for _ in 0..<3 { #expect(try storage.object(forKey: "c") == 500) }
    #expect(memory.statistics.cost <= 1_000 && memory.statistics.removals[.costLimit] == 1)
    try storage.removeAll()
    #expect(memory.statistics.cost == 0)
  }

  @Test("still has its bytes, for views of other types and for other stores")
  func bytes() throws {
    try back.setObject(JSONEncoder().encode(Person()), forKey: "a")
    let names = Storage(front: memory, back: back, transformer: .codable(Named.self))
    for _ in 0..<3 { #expect(try names.object(forKey: "a") == Named(name: "Ada")) }
    let people = names.transform(to: Person.self)
    for _ in 0..<3 { #expect(try people.object(forKey: "a") == Person()) }
    // The wrapper, written to another store: its bytes are not released once they are stored.
    let wrapper = try #require(memory.peek(forKey: "a")?.object)
    let others = MemoryStorage<String, TypeWrapper>()
    let copies = HybridStorage(front: others, back: DictionaryStorage<String, Data>())
    try copies.setObject(wrapper, forKey: "a", expiry: nil)
    let copy = TypeWrapperStorage(copies, transformer: .codable(Person.self))
    #expect(try copy.object(forKey: "a") == Person())
    #expect(back.calls(.read) == 1)
  }

  @Test("is one object for many threads that decode it at once")
  func manyThreads() throws {
    let storage = Storage(front: memory, back: back, transformer: .codable(Person.self))
    let names = storage.transform(to: Named.self)
    let wrong = Shared(0)
    for round in 0..<20 {
      let key = "\(round)"
      try back.setObject(JSONEncoder().encode(Person()), forKey: key)
      DispatchQueue.concurrentPerform(iterations: 16) { thread in
        let isRight = Result {
          for _ in 0..<20 {
            guard
              try thread % 2 == 0
                ? storage.object(forKey: key) == Person() : names.object(forKey: key).name == "Ada"
            else { return false }
          }
          return true
        }
        if case .success(true) = isRight { return }
        wrong.change { $0 += 1 }
      }
    }
    #expect(wrong.value == 0)
    #expect(back.calls(.read) == 20)
  }
}
