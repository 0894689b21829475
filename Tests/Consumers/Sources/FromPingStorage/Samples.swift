import Foundation
import Strata

// The samples of PingStorage's documentation of `StorageDelegate` and `CacheStrategy`, with the stores that they speak
// of.

func strategies() async throws {
  let always = StorageDelegate(
    delegate: KeychainStorage(account: "app.config"),
    cacheStrategy: .NO_CACHE
  )
  let fast = StorageDelegate(
    delegate: RemoteStorage(),
    cacheStrategy: .CACHE
  )
  let resilient = StorageDelegate(
    delegate: NetworkStorage(),
    cacheStrategy: .CACHE_ON_FAILURE
  )
  for storage in [always, fast, resilient] {
    let nothing = try await storage.get()
    expect(nothing == nil, "nothing is stored yet")
    try await storage.save(item: Item(name: "first"))
    let first = try await storage.get()
    expect(first == Item(name: "first"), "the item comes back")
  }
}

func exampleUsage() async throws {
  let appConfig = Item(name: "config")
  let user = Item(name: "ada")

  // High-performance cached configuration
  let keychain = KeychainStorage(account: "app.config")
  let config = StorageDelegate(
    delegate: keychain,
    cacheStrategy: .CACHE
  )
  try await config.save(item: appConfig)
  let cachedConfig = try await config.get()  // Served from cache
  expect(cachedConfig == appConfig, "the configuration comes back")
  let reads = await keychain.reads
  expect(reads == 0, "it is served from the cache")

  // Resilient network storage
  let network = NetworkKeychain(account: "user.data")
  let userData = StorageDelegate(
    delegate: network,
    cacheStrategy: .CACHE_ON_FAILURE
  )
  try await userData.save(item: user)
  // Later, even if network fails...
  await network.fail()
  let fallback = try await userData.get()  // Falls back to cache
  expect(fallback == user, "the item that was saved is there when the network fails")
}

func initializer() async throws {
  let authToken = Item(name: "token")
  let keychain = KeychainStorage(account: "user.token")

  // Create a resilient network storage with cache fallback
  let networkStorage = StorageDelegate(
    delegate: keychain,
    cacheStrategy: .CACHE_ON_FAILURE
  )

  // Save succeeds and caches the token
  try await networkStorage.save(item: authToken)

  // If keychain becomes unavailable, cache provides fallback
  await keychain.fail()
  let token = try await networkStorage.get()  // Returns cached token
  expect(token == authToken, "the cached token is returned")
}

func saving() async throws {
  let user = Item(name: "ada")
  let none = NetworkStorage()
  let cache = NetworkStorage()
  let onFailure = NetworkStorage()
  for store in [none, cache, onFailure] { await store.fail() }

  let direct = StorageDelegate(delegate: none)
  await expectFailure("a save that fails throws") { try await direct.save(item: user) }
  await none.mend()
  let nothing = try await direct.get()
  expect(nothing == nil, "without a cache nothing is left of a save that failed")

  let cached = StorageDelegate(delegate: cache, cacheStrategy: .CACHE)
  await expectFailure("a save that fails throws") { try await cached.save(item: user) }
  let kept = try await cached.get()
  expect(kept == user, "with CACHE the item remains in the cache")

  let resilient = StorageDelegate(delegate: onFailure, cacheStrategy: .CACHE_ON_FAILURE)
  await expectFailure("a save that fails throws") { try await resilient.save(item: user) }
  let fallback = try await resilient.get()
  expect(fallback == user, "with CACHE_ON_FAILURE the item is a fallback")
}

func getting() async throws {
  let network = NetworkKeychain(account: "token")
  try await network.save(item: Item(name: "token"))

  // With CACHE_ON_FAILURE strategy
  let storage = StorageDelegate(
    delegate: network,
    cacheStrategy: .CACHE_ON_FAILURE
  )

  // First successful get caches the result
  let token1 = try await storage.get()  // Fetches and caches

  // Later, if storage fails, cache provides fallback
  await network.fail()
  let token2 = try await storage.get()  // Returns cached token
  expect(token1 == token2 && token2 == Item(name: "token"), "the cache provides the fallback")
}

func deleting() async throws {
  let user = Item(name: "ada")
  for strategy in [CacheStrategy.NO_CACHE, .CACHE, .CACHE_ON_FAILURE] {
    let network = NetworkStorage()
    let storage = StorageDelegate(delegate: network, cacheStrategy: strategy)

    try await storage.save(item: user)
    let retrieved = try await storage.get()  // Returns user (possibly cached)

    try await storage.delete()
    let afterDelete = try await storage.get()  // Returns nil

    expect(retrieved == user && afterDelete == nil, "what is deleted is gone")

    // Both operations are performed even if one fails.
    try await storage.save(item: user)
    await network.fail()
    await expectFailure("a deletion that fails throws") { try await storage.delete() }
    let cached = try? await storage.get()
    expect(cached == nil, "the cache is cleared all the same")
  }
}

/// A store of one's own, and a delegate over it, as PingStorage's users write them.
actor CustomStorage<T: Codable & Sendable>: Storage {
  private var data: T?

  init() {}
  func save(item: T) async throws { data = item }
  func get() async throws -> T? { data }
  func delete() async throws { data = nil }
}

class CustomStorageDelegate<T: Codable & Sendable>: StorageDelegate<T>, @unchecked Sendable {
  init(cacheable: Bool = false) {
    super.init(delegate: CustomStorage<T>(), cacheable: cacheable)
  }
}

func held(_ storage: any Storage<Item>) async throws -> Item? { try await storage.get() }

func custom() async throws {
  for cacheable in [false, true] {
    let storage = CustomStorageDelegate<Item>(cacheable: cacheable)
    try await storage.save(item: Item(name: "own"))
    let own = try await held(storage)
    expect(own == Item(name: "own"), "a store of one's own can be wrapped")
    try await storage.delete()
    let none = try await storage.get()
    expect(none == nil, "and emptied")
  }

  let memory = MemoryStorage<Item>()
  try await memory.save(item: Item(name: "memory"))
  let item = try await held(memory)
  expect(item == Item(name: "memory"), "a memory holds one item")
}

/// `cacheable: true` caches what was saved with success, and nothing else.
func cacheable() async throws {
  let network = NetworkStorage()
  let storage = StorageDelegate(delegate: network, cacheable: true)
  try await storage.save(item: Item(name: "saved"))
  let read = try await storage.get()
  let reads = await network.reads
  expect(read == Item(name: "saved") && reads == 0, "what was saved is served from the cache")

  await network.fail()
  await expectFailure("a save that fails throws") { try await storage.save(item: Item(name: "lost")) }
  await network.mend()
  let truth = try await storage.get()
  expect(truth == Item(name: "saved"), "a save that failed is not cached")
}
