import Foundation
import Strata
import TestSupport
import Testing

/// Two tiers over dictionaries, each with its own expiry.
private struct Tiers {
  let time = ManualClock()
  let front: MemoryStorage<String, TypeWrapper>
  let back: DictionaryStorage<String, Data>
  let storage: Storage<String, Int>

  init(memory: Expiry, disk: Expiry) {
    front = MemoryStorage(config: MemoryConfig(expiry: memory, clock: time.clock))
    back = DictionaryStorage(expiry: disk, clock: time.clock)
    storage = Storage(front: front, back: back, transformer: .codable(Int.self))
  }

  func after(_ seconds: Double) -> Expiry { .date(time.clock.now.addingTimeInterval(seconds)) }
}

/// A way to update.
enum Updating: CaseIterable, Sendable {
  case sync, async, completion, inPlace, otherType, serial, serialAsync

  func add(_ storage: Storage<String, Int>, _ key: String) async throws {
    switch self {
    case .sync: try await Mode.sync.update(storage, key) { $0 += 1 }
    case .async: try await Mode.async.update(storage, key) { $0 += 1 }
    case .completion: try await Mode.completion.update(storage, key) { $0 += 1 }
    case .inPlace:
      var step = 0
      try await storage.update(forKey: key) {
        step = 1
        $0 += step
      }
    case .otherType: try await Mode.sync.update(storage.transform(to: Double.self), key) { $0 += 1 }
    case .serial: try blocking { _ = try storage.serial().update(forKey: key) { $0 += 1 } }
    case .serialAsync: _ = try await storage.serial().update(forKey: key) { $0 += 1 }
    }
  }
}

@Suite("Each tier keeps its own expiry") struct TierExpiryTests {
  @Test(
    "an update leaves a permanent value permanent, behind a memory with an expiry",
    arguments: Updating.allCases)
  func permanent(_ updating: Updating) async throws {
    let tiers = Tiers(memory: .seconds(60), disk: .never)
    try await tiers.storage.setObject(1, forKey: "a")
    let inMemory = tiers.after(60)
    tiers.time.advance(by: 10)
    try await updating.add(tiers.storage, "a")
    #expect(try blocking { try tiers.front.expiryIfPresent(forKey: "a") } == inMemory)
    #expect(try blocking { try tiers.back.expiryIfPresent(forKey: "a") } == .never)
    tiers.time.advance(by: 60)
    #expect(try await tiers.storage.objectIfPresent(forKey: "a") == 2)
  }

  @Test(
    "an update does not change the end of a value on disk, behind a memory without an expiry",
    arguments: Updating.allCases)
  func mortal(_ updating: Updating) async throws {
    let tiers = Tiers(memory: .never, disk: .seconds(60))
    try await tiers.storage.setObject(1, forKey: "a")
    let onDisk = tiers.after(60)
    tiers.time.advance(by: 10)
    try await updating.add(tiers.storage, "a")
    #expect(try blocking { try tiers.back.expiryIfPresent(forKey: "a") } == onDisk)
    #expect(try blocking { try tiers.front.expiryIfPresent(forKey: "a") } == .never)
    try await tiers.storage.removeInMemoryObject(forKey: "a")
    tiers.time.advance(by: 60)
    #expect(try await tiers.storage.objectIfPresent(forKey: "a") == nil)
  }

  @Test(
    "combinators over tiers do the same, with and without await",
    arguments: ["plain", "keys", "values", "obscured", "recover", "cached"])
  func links(_ name: String) async throws {
    let time = ManualClock()
    let back = DictionaryStorage<String, Int>(["a": 1, "b": 1], clock: time.clock)
    let combined = MemoryStorage<String, Int>(config: MemoryConfig(expiry: .seconds(60), clock: time.clock))
      .combined(with: back)
    func check(_ link: some SyncStorageAware<String, Int>) async throws {
      let serial = link.serial()
      for key in ["a", "b"] { try blocking { try link.setObject(1, forKey: key) } }
      _ = try blocking { try serial.update(forKey: "a") { $0 += 1 } }
      _ = try await serial.update(forKey: "b") { $0 += 1 }
      for key in ["a", "b"] {
        #expect(try blocking { try back.expiryIfPresent(forKey: key) } == .never)
        #expect(back.objects[key] == 2)
      }
      time.advance(by: 61)
      #expect(try blocking { try link.object(forKey: "a") } == 2)
    }
    switch name {
    case "keys": try await check(combined.mapKeys(to: String.self, mapTo: { $0 }, mapFrom: { $0 }))
    case "values": try await check(combined.mapValues(to: Int.self, mapTo: { $0 }, mapFrom: { $0 }))
    case "obscured": try await check(combined.obscureWrappedStorages())
    case "recover": try await check(combined.recover { throw $0 })
    case "cached":
      try await check(
        back.cacheStrategy(.cache, memory: MemoryConfig(expiry: .seconds(60), clock: time.clock)))
    default: try await check(combined)
    }
  }

  @Test("an update through a byte tier of several tiers does the same", arguments: Updating.allCases)
  func nested(_ updating: Updating) async throws {
    let time = ManualClock()
    let back = DictionaryStorage<String, Data>(clock: time.clock)
    func middle() -> some SyncStorageAware<String, Data> {
      MemoryStorage<String, Data>(config: MemoryConfig(expiry: .seconds(60), clock: time.clock))
        .combined(with: back)
    }
    let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig(clock: time.clock))
    for storage in [
      Storage(front: memory, back: middle(), transformer: .codable(Int.self)),
      Storage(back: middle(), transformer: .codable(Int.self)),
    ] {
      try await storage.setObject(1, forKey: "a")
      try await updating.add(storage, "a")
      #expect(try blocking { try back.expiryIfPresent(forKey: "a") } == .never)
      time.advance(by: 61)
      #expect(try await storage.objectIfPresent(forKey: "a") == 2)
    }
  }

  @Test(
    "an update of a pushing store keeps the expiry of both stores", arguments: [Expiry.never, .seconds(60)])
  func pushing(inFront: Expiry) async throws {
    let time = ManualClock()
    let inBack = inFront == .never ? Expiry.seconds(60) : .never
    let front = DictionaryStorage<String, Int>(expiry: inFront, clock: time.clock)
    let back = DictionaryStorage<String, Int>(expiry: inBack, clock: time.clock)
    let serial = front.pushing(to: back).serial()
    for key in ["a", "b"] { try blocking { try serial.setObject(1, forKey: key) } }
    let ends = [inFront.resolved(by: time.clock), inBack.resolved(by: time.clock)]
    time.advance(by: 10)
    _ = try blocking { try serial.update(forKey: "a") { $0 += 1 } }
    _ = try await serial.update(forKey: "b") { $0 += 1 }
    for key in ["a", "b"] {
      #expect(try blocking { try front.expiryIfPresent(forKey: key) } == ends[0])
      #expect(try blocking { try back.expiryIfPresent(forKey: key) } == ends[1])
    }
    #expect(back.objects == ["a": 2, "b": 2])
  }

  @Test("a refused update of a pair keeps the expiry of each tier of the part that is restored")
  func restored() async throws {
    let time = ManualClock()
    let disk = DictionaryStorage<String, Int>(clock: time.clock)
    let other = DictionaryStorage<String, Int>(clock: time.clock)
    let tiers = MemoryStorage<String, Int>(config: MemoryConfig(expiry: .seconds(60), clock: time.clock))
      .combined(with: disk)
    let serial = StrataAlgebra.zip(tiers, other).serial()
    for key in ["a", "b"] { try blocking { try serial.setObject((1, 1), forKey: key) } }
    other.fail(.write)
    #expect(throws: Failure.first) { try blocking { _ = try serial.update(forKey: "a") { $0 = (2, 2) } } }
    await #expect(throws: Failure.first) { _ = try await serial.update(forKey: "b") { $0 = (2, 2) } }
    #expect(disk.objects == ["a": 1, "b": 1])
    for key in ["a", "b"] { #expect(try blocking { try disk.expiryIfPresent(forKey: key) } == .never) }
  }

  @Test("each half of a pair keeps its own expiry")
  func zipped() async throws {
    let time = ManualClock()
    let one = DictionaryStorage<String, Int>(expiry: .seconds(60), clock: time.clock)
    let two = DictionaryStorage<String, Int>(clock: time.clock)
    let pairs = StrataAlgebra.zip(one, two)
    for key in ["a", "b"] { try blocking { try pairs.setObject((1, 1), forKey: key) } }
    let end = Expiry.date(time.clock.now.addingTimeInterval(60))
    let serial = pairs.serial()
    _ = try blocking { try serial.update(forKey: "a") { $0 = (2, 2) } }
    _ = try await serial.update(forKey: "b") { $0 = (2, 2) }
    for key in ["a", "b"] {
      #expect(try blocking { try one.expiryIfPresent(forKey: key) } == end)
      #expect(try blocking { try two.expiryIfPresent(forKey: key) } == .never)
    }
  }

  @Test(
    "a value copied to memory expires at the earlier end of the two tiers",
    arguments: [(Expiry.never, 60.0), (.seconds(30), 30), (.seconds(1000), 60)], [false, true])
  func promoted(_ stored: (onDisk: Expiry, inMemory: Double), many: Bool) async throws {
    let tiers = Tiers(memory: .seconds(60), disk: .never)
    try blocking { try tiers.back.setObject(Data("1".utf8), forKey: "a", expiry: stored.onDisk) }
    if many {
      #expect(try await tiers.storage.entries(forKeys: ["a"])["a"]?.object == 1)
    } else {
      #expect(try await tiers.storage.object(forKey: "a") == 1)
    }
    #expect(try blocking { try tiers.front.expiryIfPresent(forKey: "a") } == tiers.after(stored.inMemory))
    #expect(
      try blocking { try tiers.back.expiryIfPresent(forKey: "a") }
        == stored.onDisk.resolved(by: tiers.time.clock))
  }
}
