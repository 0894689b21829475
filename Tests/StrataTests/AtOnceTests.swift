import Foundation
import Strata
import TestSupport
import Testing

/// Writes of an `AsyncStorage` over a disk. Writes that need not wait stay on the caller's thread, and all others move
/// to another.
@Suite("Writes on the caller's thread", .timeLimit(.minutes(10)))
struct AtOnceTests {
  /// Records how often and on which threads values were encoded.
  private final class Encoder: Sendable {
    let threads = Shared<[UInt]>([])

    /// Numbers, each encoded in as many bytes as its value.
    var transformer: Transformer<Int> {
      Transformer(
        toData: { [threads] number in
          threads.change { $0.append(thisThread()) }
          if number < 0 { throw Failure.second }
          return Data("\(number)".utf8) + Data(repeating: 32, count: number)
        },
        fromData: { data in
          guard let number = Int(String(decoding: data.prefix { $0 != 32 }, as: UTF8.self)) else {
            throw Failure.first
          }
          return number
        })
    }
  }

  private let encoder = Encoder()
  private let folder = TemporaryFolder()

  private func hesitant(_ back: HesitantStorage<String, Data>) -> Storage<String, Int> {
    Storage(front: MemoryStorage<String, TypeWrapper>(), back: back, transformer: encoder.transformer)
  }

  @Test("most small writes to memory and disk stay on the caller's thread")
  func small() async throws {
    let disk = try DiskStorage<String>(config: DiskConfig(name: "disk", directory: folder.url))
    let storage = AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(), back: disk, transformer: encoder.transformer)
    try await storage.setObject(0, forKey: "a")
    var moves = 0
    for number in 1...500 {
      let before = thisThread()
      try await storage.setObject(number % 100, forKey: "a")
      if thisThread() != before { moves += 1 }
      #expect(try await storage.object(forKey: "a") == number % 100)
      #expect(try blocking { try disk.object(forKey: "a").count } >= number % 100)
    }
    // Without the short way all move. A sanitizer or a busy machine makes some of the others wait.
    #expect(moves < 250)
    #expect(encoder.threads.value.count == 501, "each value is encoded once")
  }

  @Test("a write that has to wait is executed once, on a thread that may block, and encoded once")
  func hesitation() async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>())
    back.isReady = false
    let storage = hesitant(back)
    let caller = thisThread()
    try await storage.async.setObject(1, forKey: "a")
    #expect(back.writers.value.count == 1)
    #expect(back.writers.value != [caller])
    #expect(encoder.threads.value == [caller])
    #expect(storage.peek(forKey: "a")?.object == 1)
    back.isReady = true
    let now = thisThread()
    try await storage.async.setObject(2, forKey: "a")
    #expect(back.writers.value.last == now)
    #expect(try await storage.async.object(forKey: "a") == 2)
  }

  @Test(
    "after a large value, the next one is encoded on another thread, and after a small one on the caller's again"
  )
  func large() async throws {
    let storage = hesitant(HesitantStorage(DictionaryStorage<String, Data>())).async
    var here: [Bool] = []
    for size in [20_000, 20_000, 5, 5] {
      let before = thisThread()
      try await storage.setObject(size, forKey: "a")
      here.append(encoder.threads.value.last == before)
      #expect(try await storage.object(forKey: "a") == size)
    }
    #expect(here == [true, false, false, true])
  }

  @Test("observed writes are executed on a thread that may block")
  func observers() async throws {
    final class Observer: Sendable { let threads = Shared<[UInt]>([]) }
    let back = HesitantStorage(DictionaryStorage<String, Data>())
    let storage = hesitant(back)
    let observer = Observer()
    let token = storage.addStorageObserver(observer) { observer, _, _ in
      observer.threads.change { $0.append(thisThread()) }
    }
    let caller = thisThread()
    try await storage.async.setObject(1, forKey: "a")
    await until { observer.threads.value.count == 1 }
    #expect(observer.threads.value != [caller])
    #expect(back.writers.value != [caller])
    token.cancel()
  }

  @Test("failures of encoding and of tiers are thrown, the old value stays, and the key can be used again")
  func failures() async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>())
    let storage = hesitant(back)
    try await storage.async.setObject(1, forKey: "a")
    await #expect(throws: Failure.second) { try await storage.async.setObject(-1, forKey: "a") }
    back.base.fail(.write)
    await #expect(throws: Failure.first) { try await storage.async.setObject(2, forKey: "a") }
    back.base.work()
    #expect(try await storage.async.object(forKey: "a") == 1)
    try await storage.async.setObject(3, forKey: "a")
    #expect(try await storage.async.object(forKey: "a") == 3)
  }

  @Test("an encoding error contains nothing of a confidential value, through views either")
  func confidential() async throws {
    struct Secretive: TellingStorage {
      let base = DictionaryStorage<String, Data>()
      var isConfidential: Bool { true }
      func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
      func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
        try base.setObject(object, forKey: key, expiry: expiry)
      }
      func setObjectAtOnce(_ object: Data, forKey key: String, expiry: Expiry?) throws -> Bool {
        try base.setObjectAtOnce(object, forKey: key, expiry: expiry)
      }
      func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
      func removeAll() throws { try base.removeAll() }
      func removeExpiredObjects() throws { try base.removeExpiredObjects() }
      func keys() throws -> [String] { try base.keys() }
    }
    struct Refusal: Error { let value: String }
    let storage = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: Secretive(), transformer: .codable(Int.self))
    let view = storage.transform(
      to: Transformer<String>(toData: { throw Refusal(value: $0) }, fromData: { _ in "" })
    ).async
    do {
      try await view.setObject("hunter2", forKey: "a")
      Issue.record("it was stored")
    } catch {
      #expect(!"\(error)".contains("hunter2") && !String(reflecting: error).contains("hunter2"))
    }
  }

  @Test("a write keeps its place in the order, after waiting writes", arguments: [true, false])
  func order(isReady: Bool) async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>(["a": Data("1".utf8)]))
    back.isReady = isReady
    let storage = hesitant(back).async
    let gate = ThreadGate()
    let update = Task {
      try await storage.update(forKey: "a") {
        gate.pass()
        $0 += 1
      }
    }
    await gate.arrival()
    storage.setObject(5, forKey: "a") { _ in }
    let last = Task { try await storage.setObject(6, forKey: "a") }
    await until { back.base.calls(.read) > 0 }
    #expect(back.base.calls(.write) == 0)
    gate.open()
    #expect(try await update.value == 2)
    try await last.value
    #expect(try await storage.object(forKey: "a") == 6)
    #expect(try blocking { try back.base.object(forKey: "a") }.starts(with: Data("6".utf8)))
  }

  @Test(
    "concurrent writes of threads and tasks leave memory and disk with the same values",
    arguments: [true, false])
  func races(isReady: Bool) async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>(yields: true))
    back.isReady = isReady
    let storage = hesitant(back)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for round in 0..<100 {
            let number = task * 100 + round
            if task == 0 {
              try await onThread { try storage.setObject(number, forKey: "a") }
            } else {
              try await storage.async.setObject(number, forKey: "a")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = try await storage.async.object(forKey: "a")
    #expect(try encoder.transformer.fromData(blocking { try back.base.object(forKey: "a") }) == last)
  }
}
