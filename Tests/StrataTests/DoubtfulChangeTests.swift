import Foundation
import Strata
import TestSupport
import Testing

/// A chain whose front refuses changes which the back makes, and cannot be read after that.
private struct Setup {
  let front = RefusingFront()
  let back = DictionaryStorage<String, Data>()
  let storage: Storage<String, Int>
  let log: ChangeLog

  init() {
    storage = Storage(front: front, back: back, transformer: .codable(Int.self))
    log = ChangeLog(storage)
  }

  /// Stores a value which the observers receive.
  func begin(with value: Int) async throws {
    try await storage.setObject(value, forKey: "a")
    await log.receives(2)
  }

  /// Makes a change that the back makes, the front refuses, and no read can find out about.
  func failingHalfway(_ comment: Comment? = nil, _ change: () async throws -> Void) async {
    front.refuseNext(thenReads: true)
    await #expect(throws: Failure.first, comment) { try await change() }
  }
}

private func edit(_ before: Int?, _ after: Int) -> [String] {
  ["\(StorageChange.add(key: "a"))", "\(KeyChange<Int>.edit(before: before, after: after))"]
}

private let removal = ["\(StorageChange.remove(key: "a"))", "\(KeyChange<Int>.remove)"]

@Suite("A failed change of which it is not known whether it took effect") struct DoubtfulChangeTests {
  @Test("is received by observers as soon as a read finds it", arguments: Mode.allCases)
  func reads(mode: Mode) async throws {
    let setup = Setup()
    let storage = setup.storage
    let changes: [(received: [String], make: @Sendable () async throws -> Void)] = [
      (edit(nil, 10), { try await mode.set(storage, "a", 10) }),
      (edit(10, 11), { try await storage.setObjects(["a": 11], expiry: nil) }),
      (edit(11, 12), { try blocking { try storage.setObjects(["a": 12], expiry: nil) } }),
      (edit(12, 15), { try await mode.update(storage, "a") { $0 += 3 } }),
      (removal, { try await mode.remove(storage, "a") }),
      (edit(nil, 16), { _ = try await storage.setIfAbsent(16, forKey: "a") }),
      (removal, { try await storage.removeObjects(forKeys: ["a"]) }),
    ]
    for (index, change) in changes.enumerated() {
      await setup.failingHalfway("change \(index)") { try await change.make() }
      setup.front.work()
      if index % 2 == 0 {
        _ = try await mode.get(storage, "a")
      } else {
        _ = try await mode.getMany(storage, ["a"])
      }
      #expect(await setup.log.receives(2) == change.received, "change \(index)")
    }
  }

  @Test("is received before the next change, if that one can read it", arguments: Mode.allCases)
  func changes(mode: Mode) async throws {
    let setup = Setup()
    try await setup.begin(with: 1)
    await setup.failingHalfway { try await mode.set(setup.storage, "a", 2) }
    setup.front.work()
    try await mode.set(setup.storage, "a", 3)
    #expect(await setup.log.receives(4) == edit(1, 2) + edit(2, 3))
    await setup.failingHalfway { try await mode.set(setup.storage, "a", 4) }
    setup.front.work()
    try await mode.setMany(setup.storage, ["a": 5])
    #expect(await setup.log.receives(4) == edit(3, 4) + edit(4, 5))
    await setup.failingHalfway { try await mode.set(setup.storage, "a", 6) }
    setup.front.work()
    try await mode.remove(setup.storage, "a")
    #expect(await setup.log.receives(4) == edit(5, 6) + removal)
  }

  @Test("is not received if the last tier has refused it", arguments: Mode.allCases)
  func refused(mode: Mode) async throws {
    let setup = Setup()
    try await setup.begin(with: 1)
    setup.back.fail(.read, .write, .remove)
    await #expect(throws: Failure.first) { try await mode.set(setup.storage, "a", 2) }
    await #expect(throws: Failure.first) { try await mode.remove(setup.storage, "a") }
    setup.back.work()
    #expect(try await mode.get(setup.storage, "a") == 1)
    try await mode.set(setup.storage, "a", 3)
    #expect(await setup.log.receives(2) == edit(1, 3))
  }

  @Test("is not received after a newer change that could not read it either", arguments: Mode.allCases)
  func superseded(mode: Mode) async throws {
    let setup = Setup()
    try await setup.begin(with: 1)
    await setup.failingHalfway { try await mode.set(setup.storage, "a", 2) }
    try await mode.set(setup.storage, "a", 3)
    setup.front.work()
    #expect(try await mode.get(setup.storage, "a") == 3)
    try await mode.set(setup.storage, "a", 4)
    #expect(await setup.log.receives(4) == edit(nil, 3) + edit(3, 4))
  }

  @Test("is received although later ones were refused", arguments: Mode.allCases)
  func several(mode: Mode) async throws {
    let setup = Setup()
    try await setup.begin(with: 1)
    await setup.failingHalfway { try await mode.set(setup.storage, "a", 2) }
    setup.back.fail(.write, .remove)
    await #expect(throws: Failure.first) { try await mode.set(setup.storage, "a", 3) }
    await #expect(throws: Failure.first) { try await mode.remove(setup.storage, "a") }
    setup.back.work()
    setup.front.work()
    #expect(try await mode.get(setup.storage, "a") == 2)
    #expect(await setup.log.receives(2) == edit(1, 2))
  }

  @Test("is received as a removal if it drops the only copy", arguments: Mode.allCases)
  func onlyCopy(mode: Mode) async throws {
    let setup = Setup()
    try await setup.begin(with: 1)
    try await setup.back.removeAll()
    setup.back.fail(.write)
    await #expect(throws: Failure.first) { try await mode.set(setup.storage, "a", 2) }
    #expect(await setup.log.receives(2) == removal)
  }

  @Test("is received when no outdated entry of the front hides it any more", arguments: Mode.allCases)
  func hidden(mode: Mode) async throws {
    let setup = Setup()
    let (storage, front) = (setup.storage, setup.front)
    try await setup.begin(with: 1)
    front.refuseNext(2)
    await #expect(throws: StorageError.backendFailed) { try await mode.set(storage, "a", 2) }
    #expect(try await mode.get(storage, "a") == 1)
    try front.evictAll()
    #expect(try await mode.get(storage, "a") == 2)
    #expect(await setup.log.receives(2) == edit(1, 2))

    front.refuseNext(2)
    await #expect(throws: StorageError.backendFailed) { try await mode.remove(storage, "a") }
    #expect(try await mode.get(storage, "a") == 2)
    try front.evictAll()
    #expect(try await mode.get(storage, "a") == nil)
    #expect(await setup.log.receives(2) == removal)

    try await setup.begin(with: 3)
    front.refuseNext()
    await #expect(throws: Failure.first) { try await mode.removeAll(storage) }
    #expect(try await mode.get(storage, "a") == 3)
    try front.evictAll()
    #expect(try await mode.get(storage, "a") == nil)
    #expect(await setup.log.receives(2) == removal)
  }

  @Test("in an asynchronous store too", arguments: [true, false])
  func suspending(read: Bool) async throws {
    let front = RefusingFront()
    let storage = AsyncStorage(
      front: SlowStorage(front), back: SlowStorage(DictionaryStorage()), transformer: .codable(Int.self))
    try await storage.setObject(1, forKey: "a")
    var changes = storage.changes(forKey: "a").makeAsyncIterator()
    front.refuseNext(thenReads: true)
    await #expect(throws: Failure.first) { try await storage.setObject(2, forKey: "a") }
    front.work()
    if read { #expect(try await storage.object(forKey: "a") == 2) }
    try await storage.removeObject(forKey: "a")
    #expect(await changes.next() == .edit(before: 1, after: 2))
    #expect(await changes.next() == .remove)
  }

  @Test("of all entries is received as far as it took effect", arguments: Mode.allCases)
  func removingAll(mode: Mode) async throws {
    let setup = Setup()
    try await setup.begin(with: 1)
    try setup.front.evictAll()
    setup.front.refuseNext()
    await #expect(throws: Failure.first) { try await mode.removeAll(setup.storage) }
    #expect(await setup.log.receives(2) == ["\(StorageChange<String>.removeAll)", removal[1]])

    try await setup.begin(with: 2)
    try setup.front.evictAll()
    try await mode.set(setup.storage, "b", 1)
    await setup.log.receives(1)
    setup.front.refuseNext()
    await #expect(throws: Failure.first) { try await mode.removeAll(setup.storage) }
    #expect(await setup.log.receives(2) == removal)
  }

  @Test("of expired entries is received as far as it took effect", arguments: Mode.allCases)
  func sweeping(mode: Mode) async throws {
    let setup = Setup()
    try await setup.back.setObject(Data("1".utf8), forKey: "a", expiry: .date(.distantPast))
    setup.front.refuseNext()
    await #expect(throws: Failure.first) { try await mode.sweep(setup.storage) }
    #expect(await setup.log.receives(2) == removal)
  }
}

/// A value whose release uses its store, as a user's class may.
private final class Value: Sendable {
  static let alive = Shared(0)
  private let storage: Storage<String, Value>

  init(_ storage: Storage<String, Value>) {
    self.storage = storage
    Self.alive.change { $0 += 1 }
  }

  deinit {
    Self.alive.change { $0 -= 1 }
    storage.removeObserver(forKey: "none")
  }
}

@Suite("Failed changes that no read finds", .timeLimit(.minutes(1))) struct UnreadChangeTests {
  @Test("are kept in small numbers, and released outside all locks") func bounded() throws {
    let front = RefusingFront()
    let storage = Storage(
      front: front, back: DictionaryStorage<String, Data>(),
      transformer: Transformer<Value>(
        toData: { _ in Data() }, fromData: { _ in throw StorageError.decodingFailed }))
    let token = storage.addStorageObserver(front) { _, _, _ in }
    for number in 0..<1000 {
      front.refuseNext(thenReads: true)
      #expect(throws: Failure.first) { try storage.setObject(Value(storage), forKey: "\(number)") }
    }
    #expect(Value.alive.value <= 256)
    token.cancel()
    #expect(Value.alive.value == 0)
  }
}
