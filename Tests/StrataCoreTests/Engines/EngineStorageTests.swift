import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

struct EngineStorageTests {
  private let value = Data("v".utf8)

  @Test func errorsNameTheKeyThePlaceAndTheCause() throws {
    let engine = SortedEngine()
    let store = try SortedStorage(engine)
    engine.isBroken = true
    let calls: [(String?, () throws -> Void)] = [
      ("k", { _ = try store.entryIfPresent(forKey: "k") }),
      ("k", { try store.setObject(value, forKey: "k", expiry: nil) }),
      ("k", { try store.removeObject(forKey: "k") }),
      ("k", { _ = try store.setIfAbsent(value, forKey: "k", expiry: nil) }),
      ("k", { _ = try store.touch(forKey: "k", expiry: .never) }),
      (nil, { try store.setObjects(["k": value], expiry: nil) }),
      (nil, { _ = try store.keys() }),
      (nil, { try store.removeAll() }),
      (nil, { try store.removeExpiredObjects() }),
    ]
    for (key, call) in calls {
      let error = #expect(throws: StorageError.self, performing: call)
      #expect(error == .backendFailed)
      #expect(error?.key as? String == key)
      #expect(error?.place == store.place)
      #expect(error?.cause is SortedEngine.Broken)
      #expect(error?.message.contains("the plug was pulled") == true)
    }
  }

  @Test func aStoreIsNamedAfterItsEngine() throws {
    #expect(try SortedStorage(SortedEngine()).storageName == "SortedStorage")
  }

  @Test func anEngineThatDoesNotOpenSaysWhere() throws {
    let error = #expect(throws: StorageError.self) {
      try EngineStorage<String, SortedEngine>(place: "drawer 7") { throw SortedEngine.Broken() }
    }
    #expect(error == .backendFailed)
    #expect(error?.place == "drawer 7")
    #expect(error?.cause is SortedEngine.Broken)
  }

  @Test func anEngineIsOpenedOnceForAPlaceAndClosedAfterItsLastStore() throws {
    let engine = SortedEngine()
    let place = "shared \(UUID())"
    do {
      let texts = try EngineStorage<String, SortedEngine>(place: place) { engine }
      let numbers = try EngineStorage<Int, SortedEngine>(place: place) {
        Issue.record("it is open already")
        return SortedEngine()
      }
      try texts.setObjects(["1": value, "one": value], expiry: nil)
      #expect(try numbers.keys() == [1])
      #expect(try numbers.object(forKey: 1) == value)
      #expect(engine.closings == 0)
    }
    #expect(engine.closings == 1)
    _ = try EngineStorage<String, SortedEngine>(place: place) { engine }
    #expect(engine.closings == 2)
  }

  @Test func aFolderIsOneByWhateverPath() throws {
    let folder = TemporaryFolder()
    let link = folder.url.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.url.path)
    var paths: [String] = []
    func open(_ path: String) throws -> SortedStorage {
      try SortedStorage(folder: path) { path in
        paths.append(path)
        return SortedEngine()
      }
    }
    let one = try open(folder.url.path + "/a/b")
    let other = try open(link + "/a/b")
    #expect(paths == [folder.url.path + "/a/b"])
    try one.setObject(value, forKey: "k", expiry: nil)
    #expect(try other.object(forKey: "k") == value)
    #expect(throws: StorageError.invalidConfiguration) { try open("") }
  }

  @Test func keysThatAreTooLongAreHashedAndListed() throws {
    let engine = SortedEngine(longestKey: 64)
    let store = try SortedStorage(engine)
    // Keys of up to 59 bytes are stored without hashing: of the limit of 64 bytes, 5 are needed for the deadline.
    let keys = [58, 59, 60, 5000].map { String(repeating: "k", count: $0) }
    for key in keys { try store.setObject(Data(key.utf8), forKey: key, expiry: .seconds(60)) }
    for key in keys { #expect(try store.object(forKey: key) == Data(key.utf8)) }
    #expect(try Set(store.keys()) == Set(keys))
    #expect(engine.keys.count(where: { $0.count > 1 && $0[1] == 0xFF }) == 2)
    #expect(try store.totalSize == 2 * keys.reduce(0) { $0 + $1.count })
  }

  @Test func aRecordThatTheEngineDoesNotTakeIsTooLarge() throws {
    let store = try SortedStorage(SortedEngine(longestRecord: 100))
    try store.setObject(Data(count: 87), forKey: "k", expiry: .seconds(60))
    let writes: [() throws -> Void] = [
      { try store.setObject(Data(count: 88), forKey: "k", expiry: nil) },
      { try store.setObjects(["a": Data(), "k": Data(count: 88)], expiry: nil) },
      { _ = try store.setIfAbsent(Data(count: 88), forKey: "a", expiry: nil) },
      { try store.update(forKey: "k") { $0 = Data(count: 88) } },
    ]
    for write in writes { #expect(throws: StorageError.tooLarge, performing: write) }
    #expect(try store.entries(forKeys: ["a", "k"]).mapValues(\.object.count) == ["k": 87])
  }

  @Test func theLeastRecentlyUsedIsEvicted() throws {
    let store = try SortedStorage(SortedEngine(), maxSize: 300)
    func fill(_ keys: String...) throws {
      for key in keys { try store.setObject(Data(count: 99), forKey: key, expiry: nil) }
    }
    try fill("a", "b", "c")
    _ = try store.object(forKey: "a")
    try fill("d")
    #expect(try store.keys() == ["a", "c", "d"])
    _ = try store.entries(forKeys: ["c"])
    _ = try store.expiryIfPresent(forKey: "a")
    try fill("e")
    #expect(try store.keys() == ["c", "d", "e"])
    #expect(throws: StorageError.tooLarge) { try store.setObject(Data(count: 300), forKey: "c", expiry: nil) }
    #expect(try store.totalSize == 300)
    try store.removeAll()
    #expect(try store.totalSize == 0)
  }

  @Test func awaitedReadsAreCachedOnlyIfTheEngineAnswersAtOnce() throws {
    for answersAtOnce in [true, false] {
      let store = try SortedStorage(SortedEngine(answersAtOnce: answersAtOnce))
      try store.setObject(value, forKey: "k", expiry: nil)
      #expect(store.cachedEntry(forKey: "k") == (answersAtOnce ? .found(Entry(object: value)) : .unknown))
      #expect(store.cachedExpiry(forKey: "k") == (answersAtOnce ? .found(.never) : .unknown))
      #expect(store.cachedEntry(forKey: "absent") == (answersAtOnce ? .absent : .unknown))
    }
  }
}
