import StrataDelegate

/// One item behind each of the three cache strategies, over a store that fails and recovers.
@main
struct DelegateExample {
  static func main() async {
    for strategy in [CacheStrategy.noCache, .cache, .cacheOnFailure] {
      print("\(strategy)\n")
      let store = UnreliableStore()
      let city = StorageDelegate(delegate: store, cacheStrategy: strategy)

      await save("Lisbon", in: city)
      await read(city, store)
      print("  - the store goes down -")
      await store.setDown(true)
      await read(city, store)
      await save("Quito", in: city)
      await read(city, store)
      print("  - the store is back -")
      await store.setDown(false)
      await read(city, store)
      print()
    }
  }

  static func save(_ name: String, in city: StorageDelegate<String>) async {
    do {
      try await city.save(item: name)
      print("  save \(name): stored")
    } catch {
      print("  save \(name): failed, \(error)")
    }
  }

  static func read(_ city: StorageDelegate<String>, _ store: UnreliableStore) async {
    await store.forgetWhetherAsked()
    do {
      let name = try await city.get() ?? "nothing"
      let source =
        switch await (store.wasAsked, store.isDown) {
        case (false, _): "memory"
        case (true, false): "the store"
        case (true, true): "memory, since the store failed"
        }
      print("  read: \(name), from \(source)")
    } catch {
      print("  read: failed, \(error)")
    }
  }
}

/// A store that fails on request, and records whether it was called.
actor UnreliableStore: ItemStorage {
  private var item: String?
  private(set) var isDown = false
  private(set) var wasAsked = false

  func setDown(_ isDown: Bool) { self.isDown = isDown }

  func forgetWhetherAsked() { wasAsked = false }

  func save(item: String) throws {
    try check()
    self.item = item
  }

  func get() throws -> String? {
    wasAsked = true
    try check()
    return item
  }

  func delete() throws {
    try check()
    item = nil
  }

  private func check() throws {
    if isDown { throw StoreIsDown() }
  }
}

struct StoreIsDown: Error, CustomStringConvertible {
  let description = "the store is down"
}
