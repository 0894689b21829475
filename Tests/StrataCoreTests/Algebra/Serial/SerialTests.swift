import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

@Suite(.timeLimit(.minutes(10)))
struct SerialTests {
  private let slow = SlowStorage(DictionaryStorage<String, Int>(["a": 0]))

  /// Returns the number of operations that wait in a queue.
  private func waiting(_ line: SerialLine) -> Int { line.order.waiting(key: SerialLine.Whole()) }

  @Test("operations run in order of arrival, whatever their keys")
  func fifo() async throws {
    let serial = slow.serial()
    let gate = slow.stop(.write)
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      // The result encodes the order, as digits in base 31.
      tasks.append(Task { try await serial.update(forKey: "a") { $0 = $0 &* 31 &+ number } })
      if number == 0 { await gate.arrivals(1) } else { await until { waiting(serial.line) == number } }
    }
    gate.open()
    for task in tasks { try await task.value }
    #expect(slow.base.objects == ["a": (0..<20).reduce(0) { $0 &* 31 &+ $1 }])
  }

  @Test("an operation cancelled while it waits throws and changes nothing, and the others keep their places")
  func cancellation() async throws {
    let serial = slow.serial()
    let gate = slow.stop(.write)
    let first = Task { try await serial.setObject(1, forKey: "a") }
    await gate.arrivals(1)
    let second = Task { try await serial.setObject(2, forKey: "b") }
    await until { waiting(serial.line) == 1 }
    let third = Task { try await serial.setObject(3, forKey: "c") }
    await until { waiting(serial.line) == 2 }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    first.cancel()
    gate.open()
    try await first.value
    try await third.value
    #expect(slow.base.objects == ["a": 1, "c": 3])
    #expect(serial.line.order.isEmpty, "the line is free again")
  }

  @Test("no increment of tasks and threads is lost, with and without suspending closures")
  func increments() async throws {
    let base = DictionaryStorage(["a": 0], yields: true)
    let serial = base.serial()
    let plain = PlainStore(base).serial()
    let threads = BlockingPool(width: 4)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        group.addTask {
          switch number % 3 {
          case 0: try await serial.update(forKey: "a") { $0 += 1 }
          case 1:
            try await serial.update(forKey: "a") { value in
              await Task.yield()
              value += 1
            }
          default: try await threads.run { _ = try serial.update(forKey: "a") { $0 += 1 } }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(base.objects == ["a": 300])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { try await plain.update(forKey: "a") { $0 += 1 } }
        group.addTask {
          try await plain.update(forKey: "a") { value in
            await Task.yield()
            value += 1
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(base.objects == ["a": 500])
  }

  @Test("an update keeps the expiry; a value stored by an update for an absent one gets the default expiry")
  func expiry() async throws {
    let time = ManualClock()
    let base = DictionaryStorage<String, Int>(clock: time.clock)
    let own = OwnExpiry(base: base, own: .seconds(5))
    let serial = own.defaulting(to: 10).serial()
    for half in Half.allCases {
      try await base.removeAll()
      try await base.setObject(1, forKey: "dated", expiry: .seconds(60))
      try await base.setObject(1, forKey: "eternal", expiry: .never)
      for key in ["dated", "eternal", "absent"] {
        if half == .sync {
          try blocking { _ = try serial.update(forKey: key) { $0 += 1 } }
        } else {
          try await serial.update(forKey: key) { $0 += 1 }
        }
      }
      await #expect(
        try base.entryIfPresent(forKey: "dated")
          == Entry(object: 2, expiry: .date(time.date.addingTimeInterval(60))))
      await #expect(try base.entryIfPresent(forKey: "eternal") == Entry(object: 2))
      await #expect(
        try base.entryIfPresent(forKey: "absent")
          == Entry(object: 11, expiry: .date(time.date.addingTimeInterval(5))))
    }
  }

  @Test("an update of an absent value, or one that throws, changes nothing", arguments: Half.allCases)
  func failedUpdate(half: Half) async throws {
    let base = DictionaryStorage(["a": 1])
    let serial = base.serial()
    func update(_ key: String, _ modify: (inout Int) throws -> Void) async throws {
      if half == .sync {
        try blocking { _ = try serial.update(forKey: key, modify) }
      } else {
        try await serial.update(forKey: key, modify)
      }
    }
    await #expect(throws: StorageError.notFound) { try await update("b") { $0 = 2 } }
    await #expect(throws: Failure.first) {
      try await update("a") { value in
        value = 2
        throw Failure.first
      }
    }
    #expect(base.objects == ["a": 1])
    try await update("a") { $0 = 3 }
    #expect(base.objects == ["a": 3], "the line is free again")
  }

  @Test("a serial store has the same results as its inner store", arguments: Half.allCases, 0..<10)
  func law(half: Half, seed: UInt64) async throws {
    let (bare, below) = (DictionaryStorage<String, Int>(), DictionaryStorage<String, Int>())
    let serial = seen(below.serial(), through: half)
    var random = SeededGenerator(seed: seed)
    for step in 0..<200 {
      let key = "\(Int.random(in: 0..<4, using: &random))"
      let choice = Int.random(in: 0..<9, using: &random)
      func answer(_ store: any StorageAware<String, Int>) async throws -> [String: Int] {
        switch choice {
        case 0, 1: try await store.setObject(step, forKey: key)
        case 2: try await store.removeObject(forKey: key)
        case 3: try await store.setObjects([key: step, "x": step], expiry: .seconds(60))
        case 4: try await store.removeObjects(forKeys: [key, "x"])
        case 5: return try await store.entries(forKeys: [key, "x"]).mapValues(\.object)
        case 6: return [key: try await store.objectExists(forKey: key) ? 1 : 0]
        case 7 where step % 5 == 0: try await store.removeAll()
        default: return [key: try await store.objectIfPresent(forKey: key) ?? -1]
        }
        return [:]
      }
      #expect(try await answer(serial) == answer(bare))
      #expect(below.objects == bare.objects)
      #expect(try await Set(serial.keys()) == Set(bare.objects.keys))
    }
  }
}

/// A store with a default expiry.
private struct OwnExpiry: SyncSimpleStorage {
  let base: DictionaryStorage<String, Int>
  let own: Expiry

  var clock: StorageClock { base.clock }
  func entryIfPresent(forKey key: String) throws -> Entry<Int>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry ?? own)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}
