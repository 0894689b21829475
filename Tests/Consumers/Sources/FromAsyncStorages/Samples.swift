import Foundation
import Strata

// The samples of AsyncStorages' README, one function each, preceded by the declarations that they leave out.

struct City: Codable {
  let name: String
  let foundationYear: Int
}

func usage() async throws {
  let diskStorage =
    DiskStorage
    .folder("cities", in: .cachesDirectory)
    .usingStringKeys()
    .mapJSONObject(City.self)

  let cachedStorage = MemoryStorage<String, City>()
    .combined(with: diskStorage)

  let kharkiv = City(name: "Kharkiv", foundationYear: 1654)
  try await cachedStorage.set(kharkiv, forKey: "kharkiv")

  let city = try await cachedStorage.retrieve(forKey: "kharkiv")
  print(city)

  expect(city.foundationYear == 1654, "the city comes back")
  let onDisk = try await diskStorage.retrieve(forKey: "kharkiv")
  expect(onDisk.name == "Kharkiv", "the city is on the disk too")
}

func guide() async throws {
  let storage = MemoryStorage<String, Int>()

  try await storage.set(10, forKey: "some-key")
  let value = try await storage.retrieve(forKey: "some-key")
  print(value)

  expect(value == 10, "the number comes back")
}

enum ImageKey: String {
  case kitten
  case puppy
}

// The README uses both names.
typealias ImageKeys = ImageKey

func transforms() async throws {
  let rawImages =
    DiskStorage
    .folder("images", in: .cachesDirectory)  // Storage<Filename, Data>

  let images =
    rawImages
    .mapValues(
      to: UIImage.self,
      mapTo: { data in try UIImage(data: data).unwrap() },
      mapFrom: { image in try UIImagePNGRepresentation(image).unwrap() })  // Storage<Filename, UIImage>

  let keyedImages =
    images
    .usingStringKeys()
    .mapKeys(to: ImageKeys.self, \.rawValue)  // Storage<ImageKey, UIImage>

  let kitten = try UIImage(data: Data([1, 2, 3])).unwrap()
  try await keyedImages.set(kitten, forKey: .kitten)
  let image = try await keyedImages.retrieve(forKey: .kitten)
  expect(image.pixels == [1, 2, 3], "the image comes back")
  let raw = try await rawImages.retrieve(forKey: "kitten")
  expect(raw == Data([1, 2, 3]), "its bytes are under the raw value of its key")
}

func formats() async throws {
  let files = DiskStorage.folder("formats", in: .cachesDirectory)
  try await files.mapString(withEncoding: .utf16).set("ключ", forKey: "text")
  try await files.mapJSON().set(["a": 1], forKey: "json")
  try await files.mapJSONDictionary().set(["a": [1, 2]], forKey: "dictionary")
  try await files.mapJSONObject(City.self).set(City(name: "Lviv", foundationYear: 1256), forKey: "object")
  try await files.mapPlist(format: .xml).set(["a": 1], forKey: "plist")
  try await files.mapPlistDictionary(format: .binary).set(["a": 1], forKey: "plistDictionary")
  try await files.mapPlistObject(City.self).set(
    City(name: "Lviv", foundationYear: 1256), forKey: "plistObject")

  let text = try await files.mapString(withEncoding: .utf16).retrieve(forKey: "text")
  expect(text == "ключ", "a text comes back in its encoding")
  let json = try await files.mapJSONDictionary().retrieve(forKey: "dictionary")
  expect(json["a"]?[1]?.int == 2, "a dictionary comes back")
  let object = try await files.mapPlistObject(City.self).retrieve(forKey: "plistObject")
  expect(object.name == "Lviv", "an object comes back from a property list")
}

func composition() async throws {
  let memory = MemoryStorage<String, City>()
  let disk =
    DiskStorage
    .folder("cities", in: .cachesDirectory)
    .usingStringKeys()
    .mapJSONObject(City.self)

  let storage = memory.combined(with: disk)

  // The value stored by the first sample is on the disk, and in this memory after the first read.
  let city = try await storage.retrieve(forKey: "kharkiv")
  let front = try await memory.retrieve(forKey: "kharkiv")
  expect(city.name == front.name, "a value from the back is put in front")

  let pushing = MemoryStorage<String, City>().pushing(to: disk)
  try await pushing.set(City(name: "Odesa", foundationYear: 1794), forKey: "odesa")
  let odesa = try await disk.retrieve(forKey: "odesa")
  expect(odesa.foundationYear == 1794, "a value is pushed to the back")
}

func halves() async throws {
  let storage = MemoryStorage<String, Int>()
  let readOnly = storage.readOnly()  // ReadOnlyStorage<Key, Value>

  let immutableFileStorage = DiskStorage.folder("immutable", in: .applicationSupportDirectory)
    .mapString(withEncoding: .utf8)
    .readOnly()
  do {
    let storage = MemoryStorage<Filename, String>()
      .backed(by: immutableFileStorage)
      .readOnly()  // ReadOnlyStorage<Filename, String>

    try await DiskStorage.folder("immutable", in: .applicationSupportDirectory).set(
      Data("fixed".utf8), forKey: "text")
    let text = try await storage.retrieve(forKey: "text")
    expect(text == "fixed", "a store that is only read backs another")
  }

  let writeOnly = storage.writeOnly()  // WriteOnlyStorage<Key, Value>

  try await writeOnly.set(1, forKey: "one")
  let one = try await readOnly.retrieve(forKey: "one")
  expect(one == 1, "the halves are of one store")
}

func singleElement() async throws {
  let settingsStorage = DiskStorage.folder("settings", in: .applicationSupportDirectory)
    .mapJSONDictionary()
    .singleKey("settings")  // Storage<Void, [String: Any]>
  try await settingsStorage.set(["theme": "dark"])
  let settings = try await settingsStorage.retrieve()
  expect(settings["theme"]?.string == "dark", "the one element comes back")
}

struct User: Codable {
  var isActive = false
}

func serialized() async throws {
  let userStorage = MemoryStorage<String, User>(dictionary: ["123": User()])

  // The sample that the README advises against. It leaves out the key of the second call.
  var currentUser = try await userStorage.retrieve(forKey: "123")
  currentUser.isActive = true
  try await userStorage.set(currentUser, forKey: "123")
  let current = try await userStorage.retrieve(forKey: "123")
  expect(current.isActive, "the user was changed")
  currentUser.isActive = false
  try await userStorage.set(currentUser, forKey: "123")

  let serialUserStorage = userStorage.serial()  // SerialStorage

  try await serialUserStorage.update(forKey: "123") { user in
    user.isActive = true
  }

  let user = try await userStorage.retrieve(forKey: "123")
  expect(user.isActive, "the user is active")
  try await userStorage.update(forKey: "123") { $0.isActive = false }
  let again = try await userStorage.retrieve(forKey: "123")
  expect(!again.isActive, "a memory is updateable without being serial")
}

func recovering() async throws {
  let memoryStorage = MemoryStorage<String, Int>()

  let defaulting = memoryStorage.defaulting(to: 0)
  let protected = memoryStorage.recover { error in
    switch error {
    case StorageError.notFound:
      return 15
    default:
      return -1
    }
  }

  // Neither needs a `try`.
  let zero = await defaulting.retrieve(forKey: "absent")
  let fifteen = await protected.retrieve(forKey: "absent")
  expect(zero == 0, "an absent value is the default")
  expect(fifteen == 15, "an absent value is recovered")

  let storage = MemoryStorage<String, [Int]>()
  try await storage
    .defaulting(to: [])
    .serial()
    .update(forKey: "first") {
      $0.append(10)
    }

  let first = try await storage.retrieve(forKey: "first")
  expect(first == [10], "an update starts from the default")
}

func disk() async throws {
  let texts =
    DiskStorage
    .folder("texts", in: .applicationSupportDirectory)
    .usingStringKeys()
    .mapString()  // some Storage<String, String>

  try await texts.set("Hello", forKey: "greeting")
  let value = try await texts.retrieve(forKey: "greeting")
  expect(value == "Hello", "the text comes back")

  let disk = DiskStorage.detached()
  let file = FileManager.default.temporaryDirectory.appending(path: "folder of its own/plain.txt")
  try await disk.set(Data("plain".utf8), forKey: file)
  let bytes = try await disk.retrieve(forKey: file)
  let contents = try Data(contentsOf: file)
  expect(bytes == contents, "a file is what was stored, and nothing else")
  let shared = try await DiskStorage.shared.mapString().retrieve(forKey: file)
  expect(shared == "plain", "another store reads the same file")
}

func zipping() async throws {
  let strings = MemoryStorage<String, String>()
  let numbers = MemoryStorage<String, Int>()

  let zipped = zip(strings, numbers)  // Storage<String, (String, Int)>

  try await zipped.set(("hello", 3), forKey: "item")
  let value = try await zipped.retrieve(forKey: "item")
  print(value.0, value.1)

  let number = try await numbers.retrieve(forKey: "item")
  expect(value == ("hello", 3) && number == 3, "each part has its own")
}

func debugging() async throws {
  let storage = MemoryStorage<String, Data>()
    .combined(with: DiskStorage.folder("debug", in: .cachesDirectory).usingStringKeys())

  print(storage._storageHierarchy())

  expect(storage._storageHierarchy().contains("DiskStorage"), "the disk is in the hierarchy")
  expect(storage._reach(toFirst: DiskStorage<String>.self) != nil, "the disk can be reached")
  expect(storage.obscureWrappedStorages()._reach(toFirst: DiskStorage<String>.self) == nil, "nothing can")
}
