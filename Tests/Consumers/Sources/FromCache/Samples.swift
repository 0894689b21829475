import Foundation
import Strata

// The features described by the authors of Cache, as a program for Cache 5 or later uses them.

struct User: Codable, Equatable {
  let firstName: String
  let lastName: String
}

let john = User(firstName: "John", lastName: "Snow")

func storage<T: Codable & Sendable>(_ name: String, of type: T.Type) throws -> Storage<String, T> {
  let diskConfig = DiskConfig(
    name: name,
    expiry: .date(Date().addingTimeInterval(2 * 3600)),
    maxSize: 10_000_000,
    directory: FileManager.default.temporaryDirectory.appendingPathComponent("MyPreferences"),
    protectionType: .complete
  )
  let memoryConfig = MemoryConfig(expiry: .never, countLimit: 10, totalCostLimit: 0)
  return try Storage(
    diskConfig: diskConfig,
    memoryConfig: memoryConfig,
    transformer: TransformerFactory.forCodable(ofType: T.self)
  )
}

/// Reliably save and load an object using a key, synchronously.
func storing() throws {
  let storage = try storage("Floppy", of: User.self)
  try storage.setObject(john, forKey: "user")
  let user = try storage.object(forKey: "user")
  expect(user == john, "the user comes back")
  let exists = try storage.objectExists(forKey: "user")
  expect(exists, "the user is there")

  let entry = try storage.entry(forKey: "user")
  expect(entry.object == john && !entry.expiry.isExpired, "an entry tells its expiry")

  try storage.removeInMemoryObject(forKey: "user")
  let again = try storage.object(forKey: "user")
  expect(again == john, "a value that memory dropped is on the disk")
  let keys = try storage.allKeys()
  let objects = try storage.allObjects()
  expect(keys == ["user"] && objects == [john], "all is listed")
  expect((storage.totalDiskStorageSize ?? 0) > 0, "the disk tells its size")

  try storage.removeObject(forKey: "user")
  try storage.removeObject(forKey: "user")
  do {
    _ = try storage.object(forKey: "user")
    expect(false, "a removed value is not found")
  } catch StorageError.notFound {}
  try storage.removeAll()
}

/// One store, seen as several types.
func typed() throws {
  let users = try storage("Views", of: User.self)
  let texts = users.transformCodable(ofType: String.self)
  let bytes = users.transformData()
  try users.setObject(john, forKey: "user")
  try texts.setObject("hello world", forKey: "string")
  try bytes.setObject(Data([0, 1]), forKey: "bytes")
  let text = try texts.object(forKey: "string")
  let raw = try bytes.object(forKey: "bytes")
  expect(text == "hello world" && raw == Data([0, 1]), "each view has its type")
  do {
    _ = try users.object(forKey: "string")
    expect(false, "a text is no user")
  } catch StorageError.typeNotMatch {}
  let custom = users.transform(
    to: Transformer<Int>(
      toData: { Data("\($0)".utf8) }, fromData: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }))
  try custom.setObject(42, forKey: "number")
  let number = try custom.object(forKey: "number")
  expect(number == 42, "a transformer of one's own is two functions")
}

/// Primitive types need no wrapper.
func primitives() throws {
  func comesBack<T: Codable & Sendable & Equatable>(_ value: T) throws {
    let name = "Primitives"
    try storage(name, of: T.self).setObject(value, forKey: "myKey")
    let stored = try storage(name, of: T.self).object(forKey: "myKey")
    expect(stored == value, "\(value) comes back, from the disk")
  }
  try comesBack("a string")
  try comesBack(10)
  try comesBack(true)
  try comesBack(1.5)
  try comesBack(["alert", "sounds", "badge"])
  try comesBack(["one": 1])
  try comesBack(Date(timeIntervalSinceReferenceDate: 1))
  try comesBack(Data([1, 2]))
  if let url = URL(string: "https://example.com") { try comesBack(url) }
}

func expiry() throws {
  let storage = try storage("Expiry", of: String.self)
  try storage.setObject("This is a string", forKey: "over", expiry: .date(Date().addingTimeInterval(-10)))
  try storage.setObject("This is a string", forKey: "valid", expiry: .seconds(3600))
  let isOver = try storage.isExpiredObject(forKey: "over")
  let isValid = try !storage.isExpiredObject(forKey: "valid")
  expect(isOver && isValid, "an expiry of an object's own counts")
  do {
    _ = try storage.object(forKey: "over")
    expect(false, "an expired object is not served")
  } catch StorageError.notFound {}
  try storage.removeExpiredObjects()
  let keys = try storage.allKeys()
  expect(keys == ["valid"], "an expired value is removed")
}

/// A chain put together by hand.
func tiers() throws {
  let config = DiskConfig(name: "Tiers", directory: FileManager.default.temporaryDirectory)
  let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig())
  let disk = try DiskStorage<String>(config: config)
  let hybrid = HybridStorage(front: memory, back: disk)
  let storage = Storage(
    TypeWrapperStorage(hybrid, transformer: TransformerFactory.forCodable(ofType: User.self)))
  try storage.setObject(john, forKey: "user")
  let bytes = try disk.objectIfPresent(forKey: "user")
  expect(bytes != nil, "the disk has its bytes")
}

func json() throws {
  let text = #"{"firstName": "John", "lastName": "Snow"}"#
  let fromText = try JSONDecoder.decode(text, to: User.self)
  let fromData = try JSONDecoder.decode(Data(text.utf8), to: User.self)
  let fromObject = try JSONDecoder.decode(["firstName": "John", "lastName": "Snow"], to: User.self)
  expect([fromText, fromData, fromObject] == [john, john, john], "a user is decoded from any JSON")

  let wrapper = JSONDictionaryWrapper(jsonDictionary: ["name": "John", "age": 16, "isKing": false])
  let dictionaries = try storage("Dictionaries", of: JSONDictionaryWrapper.self)
  try dictionaries.setObject(wrapper, forKey: "json")
  try dictionaries.removeInMemoryObject(forKey: "json")
  let dictionary = try dictionaries.object(forKey: "json").jsonDictionary
  expect(dictionary["age"]?.int == 16 && dictionary["isKing"]?.bool == false, "a JSON object comes back")

  // In Cache's own format: the bytes of the JSON inside another JSON object.
  let bytes = Data(#"[{"a": 1}]"#.utf8).base64EncodedString()
  let array = try JSONDecoder.decode(#"{"jsonArray": "\#(bytes)"}"#, to: JSONArrayWrapper.self).jsonArray
  expect(array.count == 1 && array[0]["a"]?.int == 1, "bytes that Cache wrote are read")
  let again = try JSONDecoder().decode(
    JSONArrayWrapper.self, from: JSONEncoder().encode(JSONArrayWrapper(jsonArray: array)))
  expect(again.jsonArray == array, "and written")
}

final class Observer: Sendable {}

final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []
  func add(_ line: String) { lock.withLock { lines.append(line) } }
  var all: [String] { lock.withLock { lines } }
}

func observing() throws {
  let storage = try storage("Observed", of: String.self)
  let observer = Observer()
  let log = Log()
  let token = storage.addStorageObserver(observer) { observer, storage, change in
    switch change {
    case .add(let key): log.add("added \(key)")
    case .remove(let key): log.add("removed \(key)")
    case .removeAll: log.add("removed all")
    case .removeExpired: log.add("removed expired")
    case .removeInMemory(let key): log.add("dropped \(key)")
    }
  }
  storage.addObserver(observer, forKey: "user1") { observer, storage, change in
    switch change {
    case .edit(let before, let after): log.add("\(before ?? "nothing") is \(after)")
    case .remove: log.add("nothing")
    }
  }
  try storage.setObject("a", forKey: "user1")
  try storage.setObject("b", forKey: "user1")
  try storage.removeObject(forKey: "user1")
  token.cancel()
  storage.removeAllKeyObservers()
  try storage.setObject("c", forKey: "user1")
  expect(
    log.all.sorted()
      == ["a is b", "added user1", "added user1", "nothing", "nothing is a", "removed user1"],
    "observers are told of all changes until they leave: \(log.all)")
  try storage.removeAll()
}

/// Names that are different in Strata still compile, with a deprecation message.
func formerNames() throws {
  let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig())
  let disk = try DiskStorage<String>(
    config: DiskConfig(name: "Former", directory: FileManager.default.temporaryDirectory))
  let hybrid = HybridStorage(memoryStorage: memory, diskStorage: disk)
  expect(hybrid.memoryStorage === memory && hybrid.diskStorage === disk, "the tiers are where they were")

  let storage = try storage("FormerNames", of: User.self)
  try storage.setObject(john, forKey: "user")
  let exists = try storage.existsObject(forKey: "user")
  expect(exists, "the user is there")
  let texts = storage.transform(transformer: TransformerFactory.forCodable(ofType: String.self))
  try texts.setObject("over", forKey: "text", expiry: .seconds(-1))
  try storage.removeObjectIfExpired(forKey: "text")
  try storage.removeObjectIfExpired(forKey: "user")
  let left = try storage.allKeys()
  expect(left == ["user"], "only what has expired is removed")
  expect(Date().addingTimeInterval(-1).inThePast && !Date().addingTimeInterval(60).inThePast, "dates pass")
  _ =
    try Storage(
      diskConfig: DiskConfig(name: "FormerNested"), memoryConfig: MemoryConfig(), fileManager: .default,
      transformer: TransformerFactory.forData()) as Storage<String, Data>
}

func awaiting() async throws {
  let storage = try storage("Awaited", of: String.self)
  try await storage.async.setObject("Oslo", forKey: "my favorite city")
  let city = try await storage.async.object(forKey: "my favorite city")
  let exists = try await storage.async.objectExists(forKey: "my favorite city")
  expect(city == "Oslo" && exists, "the same store, with await")
  try await storage.async.removeExpiredObjects()
  try await storage.async.removeAll()
  let isEmpty = try await storage.allKeys().isEmpty
  expect(isEmpty, "all is removed")
}

func callingBack() async {
  await withCheckedContinuation { done in
    do {
      let storage = try storage("CalledBack", of: String.self)
      storage.async.setObject("Oslo", forKey: "my favorite city") { result in
        switch result {
        case .success:
          storage.async.object(forKey: "my favorite city") { result in
            switch result {
            case .success(let city): expect(city == "Oslo", "the city comes back")
            case .failure(let error): expect(false, "\(error)")
            }
            storage.async.existsObject(forKey: "my favorite city") { result in
              if case .success(let exists) = result { expect(exists, "I have a favorite city") }
              storage.async.removeAll { _ in done.resume() }
            }
          }
        case .failure(let error):
          expect(false, "\(error)")
        }
      }
    } catch { expect(false, "\(error)") }
  }
}
