import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

private struct Zipped {
  let time = ManualClock()
  let names: DictionaryStorage<String, String>
  let ages: DictionaryStorage<String, Int>
  let pairs: any StorageAware<String, (String, Int)>

  init(_ half: Half) {
    names = DictionaryStorage(clock: time.clock)
    ages = DictionaryStorage(clock: time.clock)
    pairs = seen(zip(names, ages), through: half)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ZipTests {
  @Test("projecting a zipped store to a part equals that part", arguments: Half.allCases)
  func projection(half: Half) async throws {
    let zipped = Zipped(half)
    try await zipped.pairs.setObject(("Ada", 36), forKey: "a")
    try await zipped.pairs.setObjects(["b": ("Bea", 2), "c": ("Cyd", 3)], expiry: nil)
    #expect(zipped.names.objects == ["a": "Ada", "b": "Bea", "c": "Cyd"])
    #expect(zipped.ages.objects == ["a": 36, "b": 2, "c": 3])
    for (key, name) in zipped.names.objects {
      let pair = try await zipped.pairs.object(forKey: key)
      #expect(pair.0 == name && pair.1 == zipped.ages.objects[key])
    }
    try await zipped.pairs.removeObject(forKey: "a")
    try await zipped.pairs.removeObjects(forKeys: ["b"])
    #expect(zipped.names.objects == ["c": "Cyd"] && zipped.ages.objects == ["c": 3])
    try await zipped.pairs.removeAll()
    #expect(zipped.names.objects.isEmpty && zipped.ages.objects.isEmpty)
  }

  @Test("a pair exists while both parts exist, until the earlier expiry", arguments: Half.allCases)
  func presence(half: Half) async throws {
    let zipped = Zipped(half)
    try await zipped.names.setObject("Ada", forKey: "a", expiry: .seconds(60))
    try await zipped.names.setObject("Bea", forKey: "b", expiry: nil)
    try await zipped.ages.setObject(36, forKey: "a", expiry: .seconds(30))
    try await zipped.ages.setObject(3, forKey: "c", expiry: nil)
    #expect(try await zipped.pairs.keys() == ["a"])
    #expect(try await zipped.pairs.objectExists(forKey: "a"))
    #expect(
      try await zipped.pairs.entry(forKey: "a").expiry == .date(zipped.time.date.addingTimeInterval(30)))
    #expect(try await Set(zipped.pairs.entries(forKeys: ["a", "b", "c"]).keys) == ["a"])
    for key in ["b", "c"] {
      #expect(try await !zipped.pairs.objectExists(forKey: key))
      await #expect(throws: StorageError.notFound) { try await zipped.pairs.object(forKey: key) }
    }
    zipped.time.advance(by: 31)
    #expect(try await zipped.pairs.objectIfPresent(forKey: "a") == nil)
  }

  @Test(
    "if the second part is refused, the first part's old value is restored", arguments: Half.allCases,
    [true, false])
  func secondFails(half: Half, existed: Bool) async throws {
    let zipped = Zipped(half)
    if existed { try await zipped.pairs.setObject(("Ada", 36), forKey: "a", expiry: .seconds(60)) }
    zipped.ages.fail(.write)
    await #expect(throws: Failure.first) { try await zipped.pairs.setObject(("Bea", 2), forKey: "a") }
    await #expect(throws: Failure.first) {
      try await zipped.pairs.setObjects(["a": ("Bea", 2), "b": ("Bea", 2)], expiry: nil)
    }
    #expect(zipped.names.objects == (existed ? ["a": "Ada"] : [:]))
    if existed {
      #expect(
        try await zipped.pairs.entry(forKey: "a").expiry == .date(zipped.time.date.addingTimeInterval(60)))
    }
  }

  @Test("if that value cannot be restored, the error says that half was written", arguments: Half.allCases)
  func halfWritten(half: Half) async throws {
    let zipped = Zipped(half)
    zipped.ages.fail(.write)
    zipped.names.fail(.remove, with: Failure.second)
    await #expect {
      try await zipped.pairs.setObject(("Bea", 2), forKey: "a")
    } throws: { error in
      let error = error as? StorageError
      return error == .backendFailed && error?.cause as? Failure == .first
        && error?.message.contains("only the first part") == true && error?.message.contains("second") == true
    }
  }

  @Test("an old part that cannot be read does not prevent writing a new one", arguments: Half.allCases)
  func unreadable(half: Half) async throws {
    let zipped = Zipped(half)
    zipped.names.fail(.read)
    try await zipped.pairs.setObject(("Ada", 36), forKey: "a")
    #expect(zipped.names.objects == ["a": "Ada"] && zipped.ages.objects == ["a": 36])
  }

  @Test("a removal removes both parts, even if one removal fails", arguments: Half.allCases)
  func removal(half: Half) async throws {
    let zipped = Zipped(half)
    try await zipped.pairs.setObject(("Ada", 36), forKey: "a")
    zipped.names.fail(.remove, .removeAll)
    await #expect(throws: Failure.first) { try await zipped.pairs.removeObject(forKey: "a") }
    #expect(zipped.ages.objects.isEmpty)
    zipped.ages.fail(.removeAll, with: Failure.second)
    await #expect(throws: StorageError.backendFailed) { try await zipped.pairs.removeAll() }
  }

  @Test("no reader sees parts of two writes as one pair, not even with a peek")
  func tearing() async throws {
    let (first, second) = (Handy(), Handy())
    let pairs = zip(first, second)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<3 {
        group.addTask {
          for step in 0..<300 {
            let value = worker * 1000 + step
            try blocking { try pairs.setObject((value, value), forKey: "a") }
          }
        }
        group.addTask {
          for _ in 0..<300 {
            if let pair = try blocking({ try pairs.objectIfPresent(forKey: "a") }) {
              #expect(pair.0 == pair.1)
            }
            if let pair = pairs.peek(forKey: "a")?.object { #expect(pair.0 == pair.1) }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = try #require(pairs.peek(forKey: "a")?.object)
    #expect(last.0 == last.1)
  }

  @Test("plain stores have three forms of zip, and an error says which half was written")
  func plain() async throws {
    let (names, ages) = (DictionaryStorage<String, String>(), DictionaryStorage<String, Int>())
    let both = zip(PlainStore(opaque: names), PlainStore(opaque: ages))
    let (written, read) = (
      zip(WriteHalf(base: PlainStore(names)), WriteHalf(base: PlainStore(ages))),
      zip(ReadHalf(base: PlainStore(names)), PlainStore(ages))
    )
    try await both.set(("Ada", 36), forKey: OpaqueKey(name: "a"))
    try await written.set(("Bea", 2), forKey: "b")
    let (ada, bea) = (
      try await read.retrieve(forKey: "a"), try await both.retrieve(forKey: OpaqueKey(name: "b"))
    )
    #expect(ada == ("Ada", 36) && bea == ("Bea", 2))
    ages.fail(.write)
    await #expect(throws: StorageError.backendFailed) { try await written.set(("Cyd", 3), forKey: "c") }
    await #expect(throws: StorageError.notFound) { try await read.retrieve(forKey: "c") }
  }
}

/// A store with everything cached, which yields to other tasks in its operations.
private struct Handy: SyncSimpleStorage {
  private let base = DictionaryStorage<String, Int>(yields: true)

  func peek(forKey key: String) -> Entry<Int>? { base.objects[key].map { Entry(object: $0) } }
  func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}
