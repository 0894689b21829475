import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite(.endsInTime) struct ServerStorageTests {
  private let server = MemoryServer()
  private let time = ManualClock()
  private let store: RemoteStorage
  private let value = Data("v".utf8)

  init() throws { store = try RemoteStorage(server, namespace: "app", clock: time.clock) }

  private func text(_ text: String) -> Data { Data(text.utf8) }

  @Test func errorsNameTheKeyThePlaceAndTheCause() async throws {
    server.isBroken = true
    let calls: [(String?, @Sendable () async throws -> Void)] = [
      ("k", { _ = try await store.entryIfPresent(forKey: "k") }),
      ("k", { try await store.setObject(value, forKey: "k", expiry: nil) }),
      ("k", { try await store.removeObject(forKey: "k") }),
      ("k", { _ = try await store.setIfAbsent(value, forKey: "k", expiry: nil) }),
      ("k", { _ = try await store.touch(forKey: "k", expiry: .never) }),
      ("k", { _ = try await store.update(forKey: "k") { _ in } }),
      (nil, { _ = try await store.entries(forKeys: ["k"]) }),
      (nil, { try await store.setObjects(["k": value], expiry: nil) }),
      (nil, { try await store.removeObjects(forKeys: ["k"]) }),
      (nil, { _ = try await store.keys() }),
      (nil, { try await store.removeAll() }),
      (nil, { try await store.removeExpiredObjects() }),
    ]
    for (key, call) in calls {
      let error = await #expect(throws: StorageError.self) { try await call() }
      #expect(error == .backendFailed)
      #expect(error?.key as? String == key)
      #expect(error?.place == "memory.internal, namespace app")
      #expect(error?.cause is MemoryServer.Broken)
      #expect(error?.message.contains("the cable was cut") == true)
    }
  }

  @Test func aRecordOfAnotherProgramIsNotAbsent() async throws {
    server.corrupt("app~~k")
    try await store.setObject(value, forKey: "mine", expiry: nil)
    let error = await #expect(throws: StorageError.self) { try await store.entryIfPresent(forKey: "k") }
    #expect(error == .malformedFileAttributes && error?.key as? String == "k")
    await #expect(throws: StorageError.malformedFileAttributes) {
      try await store.entries(forKeys: ["mine", "k"])
    }
    try await store.removeExpiredObjects()
    try await store.setObject(value, forKey: "k", expiry: nil)
    #expect(try await store.object(forKey: "k") == value)
  }

  @Test func aCallHasAtMostAHundredKeys() async throws {
    let keys = (0..<250).map { "\($0)" }
    try await store.setObjects(
      Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: .seconds(1))
    #expect(try await store.entries(forKeys: keys).count == 250)
    #expect(try await store.keys().count == 250)
    time.advance(by: 1)
    try await store.removeExpiredObjects()
    #expect(server.names.isEmpty)
    #expect(server.largestCall == 100)
  }

  @Test func keysThatNeverExpireAreListedWithoutTheirRecords() async throws {
    let long = String(repeating: "k", count: 200)
    let server = MemoryServer(longestName: 100)
    let store = try RemoteStorage(server, namespace: "app", clock: time.clock)
    try await store.setObjects(["a": value, "b": value, long: value], expiry: nil)
    try await store.setObject(value, forKey: "mortal", expiry: .seconds(5))
    #expect(try await Set(store.keys()) == ["a", "b", long, "mortal"])
    #expect(server.reads == 2)
  }

  @Test func aServerKeepsARecordAMinuteLongerThanItsEntry() async throws {
    for (seconds, lifetime) in [(30.0, 90), (0.5, 61), (0, 60), (-5, 60)] {
      try await store.setObject(value, forKey: "k", expiry: .seconds(seconds))
      #expect(server.lifetime(of: "app~~k") == lifetime)
    }
    for expiry in [Expiry.never, .date(.distantFuture), .seconds(.infinity)] {
      try await store.setObject(value, forKey: "k", expiry: expiry)
      #expect(server.lifetime(of: "app~~k") == nil)
    }
  }

  @Test func namespacesAreApartAndTypesOfKeysShareOne() async throws {
    let other = try RemoteStorage(server, namespace: "ap", clock: time.clock)
    let numbers = try ServerStorage<Int, MemoryServer>(server, namespace: "app", clock: time.clock)
    try await other.setObject(value, forKey: "p~~k", expiry: nil)
    try await store.setObjects(["7": value, "seven": value], expiry: nil)
    #expect(try await numbers.keys() == [7])
    #expect(try await store.entryIfPresent(forKey: "k") == nil)
    try await store.removeAll()
    #expect(try await other.keys() == ["p~~k"])
  }

  @Test func aNamespaceThatIsTooLongIsRefused() throws {
    let server = MemoryServer(longestName: 100)
    _ = try RemoteStorage(server, namespace: String(repeating: "n", count: 32))
    let error = #expect(throws: StorageError.self) {
      try RemoteStorage(server, namespace: String(repeating: "n", count: 33))
    }
    #expect(error == .invalidConfiguration && error?.place?.contains("memory.internal") == true)
  }

  @Test(arguments: [
    ("ada", "app~~ada"), ("", "app~~"), ("a/b c", "app~~a~2Fb~20c"), ("~~x", "app~~~7E~7Ex"),
    ("é-._", "app~~~C3~A9-._"), ("e\u{301}", "app~~~C3~A9"),
    (
      String(repeating: "k", count: 200),
      "app~~~~" + SHA256.hash(Array(repeating: 0x6B, count: 200)).map { String(format: "%02X", $0) }.joined()
    ),
  ])
  func aNameNeedsNoEscaping(_ key: String, _ name: String) async throws {
    let server = MemoryServer(longestName: 100)
    let store = try RemoteStorage(server, namespace: "app")
    try await store.setObject(value, forKey: key, expiry: nil)
    #expect(server.names == [name])
    #expect(try await store.keys() == [key])
  }

  @Test func aValueThatTheServerDoesNotTakeIsTooLarge() async throws {
    let store = try RemoteStorage(MemoryServer(longestRecord: 100), namespace: "app")
    try await store.setObject(Data(count: 99), forKey: "k", expiry: nil)
    let writes: [@Sendable () async throws -> Void] = [
      { try await store.setObject(Data(count: 100), forKey: "k", expiry: nil) },
      { try await store.setObjects(["k": Data(count: 100)], expiry: nil) },
      { _ = try await store.setIfAbsent(Data(count: 100), forKey: "a", expiry: nil) },
      { _ = try await store.update(forKey: "k") { $0 = Data(count: 100) } },
    ]
    for write in writes { await #expect(throws: StorageError.tooLarge) { try await write() } }
    #expect(try await store.object(forKey: "k").count == 99)
    #expect(try await store.keys() == ["k"])
  }

  // A write by another process between the read and the write of a conditional operation is not lost.

  @Test func updateRunsAgainOnAnothersValue() async throws {
    try await store.setObject(text("1"), forKey: "k", expiry: nil)
    server.interrupt { [store] in try await store.setObject(Data("5".utf8), forKey: "k", expiry: nil) }
    let seen = Locked<[Data]>([])
    let stored = try await store.update(forKey: "k") { value in
      let now = value
      seen.withLock { $0.append(now) }
      value += Data("!".utf8)
    }
    #expect(seen.withLock { $0 } == [text("1"), text("5")])
    #expect(stored == text("5!"))
    #expect(try await store.object(forKey: "k") == text("5!"))
  }

  @Test func setIfAbsentTakesThePlaceOfAnExpiredEntryOnce() async throws {
    try await store.setObject(text("old"), forKey: "k", expiry: .seconds(1))
    time.advance(by: 2)
    server.interrupt { [store] in try await store.setObject(Data("theirs".utf8), forKey: "k", expiry: nil) }
    #expect(try await !store.setIfAbsent(text("mine"), forKey: "k", expiry: nil))
    #expect(try await store.object(forKey: "k") == text("theirs"))
  }

  @Test func touchKeepsAnothersValue() async throws {
    try await store.setObject(text("old"), forKey: "k", expiry: .seconds(10))
    server.interrupt { [store] in try await store.setObject(Data("theirs".utf8), forKey: "k", expiry: nil) }
    #expect(try await store.touch(forKey: "k", expiry: .seconds(60)))
    let expiry = Expiry.date(time.date.addingTimeInterval(60))
    #expect(try await store.entry(forKey: "k") == Entry(object: text("theirs"), expiry: expiry))
    server.interrupt { [store] in try await store.removeObject(forKey: "k") }
    #expect(try await !store.touch(forKey: "k", expiry: .never))
  }

  @Test func aSweepKeepsWhatAnotherHasWrittenAnew() async throws {
    try await store.setObjects(["a": text("old"), "b": text("old")], expiry: .seconds(1))
    time.advance(by: 2)
    server.interrupt { [store] in try await store.setObject(Data("new".utf8), forKey: "a", expiry: nil) }
    try await store.removeExpiredObjects()
    #expect(try await store.keys() == ["a"])
    #expect(server.names.count == 1)
  }
}
