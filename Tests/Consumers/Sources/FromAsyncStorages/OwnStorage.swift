import Strata

// The sample of a custom store, and functions over any store.

struct MyStorage: Storage {
  typealias Key = String
  typealias Value = Int

  let numbers = MemoryStorage<String, Int>()

  func retrieve(forKey key: String) async throws -> Int {
    try await numbers.retrieve(forKey: key)
  }

  func set(_ value: Int, forKey key: String) async throws {
    try await numbers.set(value, forKey: key)
  }

  var _wrappedStorages: [any StorageDesign] {
    []
  }
}

/// Functions of a program that take and return storages.
func halved(_ storage: some Storage<String, Int>) -> some Storage<String, Int> {
  storage.mapValues(mapTo: { $0 / 2 }, mapFrom: { $0 * 2 })
}

func kept(_ storage: any Storage<String, Int>) -> any Storage<String, Int> { storage }

func firstHalf(_ storage: some Storage<String, Int>) -> some ReadOnlyStorage<String, Int> {
  storage.readOnly()
}

func otherHalf(_ storage: some Storage<String, Int>) -> some WriteOnlyStorage<Int, String> {
  storage.writeOnly().mapValues { (text: String) in Int(text) ?? 0 }.mapKeys { (key: Int) in "\(key)" }
}

func ownStorage() async throws {
  for storage in [
    kept(halved(MyStorage())), kept(MyStorage()), kept(MemoryStorage<String, Int>()),
    kept(MyStorage().serial()),
  ] {
    try await storage.set(4, forKey: "four")
    let four = try await storage.retrieve(forKey: "four")
    expect(four == 4, "a store of one's own takes part in all of it")
  }
  let mine = MyStorage()
  try await otherHalf(mine).set("5", forKey: 5)
  let five = try await firstHalf(mine).retrieve(forKey: "5")
  expect(five == 5, "and so do its halves")
}
