import Foundation
import Strata

// The samples of PingStorage's documentation of `StorageDelegate` and `CacheStrategy`, as they are written there. The
// stores that they name are in StandIns.swift.

func strategies() async throws {
  do {
    let storage = StorageDelegate(
      delegate: KeychainStorage(),
      cacheStrategy: .NO_CACHE
    )
    try await keepsItsItem(storage)
  }
  do {
    let storage = StorageDelegate(
      delegate: RemoteStorage(),
      cacheStrategy: .CACHE
    )
    try await keepsItsItem(storage)
  }
  do {
    let storage = StorageDelegate(
      delegate: NetworkStorage(),
      cacheStrategy: .CACHE_ON_FAILURE
    )
    try await keepsItsItem(storage)
  }
}

func keepsItsItem(_ storage: StorageDelegate<Item>) async throws {
  let nothing = try await storage.get()
  expect(nothing == nil, "nothing is stored yet")
  try await storage.save(item: Item(name: "first"))
  let first = try await storage.get()
  expect(first == Item(name: "first"), "the item comes back")
}

func exampleUsage() async throws {
  let appConfig = Item(name: "config")
  let user = Item(name: "ada")

  // High-performance cached configuration
  let config = StorageDelegate(
    delegate: KeychainStorage(account: "app.config"),
    cacheStrategy: .CACHE
  )
  try await config.save(item: appConfig)
  let cachedConfig = try await config.get()  // Served from cache
  expect(cachedConfig == appConfig, "the configuration comes back")
  let reads = await KeychainStorage.of("app.config").reads
  expect(reads == 0, "it is served from the cache")

  // Resilient network storage
  let userData = StorageDelegate(
    delegate: NetworkKeychain(account: "user.data"),
    cacheStrategy: .CACHE_ON_FAILURE
  )
  try await userData.save(item: user)
  // Later, even if network fails...
  await NetworkKeychain.of("user.data").fail()
  do {
    let user = try await userData.get()  // Falls back to cache
    expect(user == Item(name: "ada"), "the item that was saved is there when the network fails")
  }
}

func initializer() async throws {
  let authToken = Item(name: "token")

  // Create a resilient network storage with cache fallback
  let networkStorage = StorageDelegate(
    delegate: KeychainStorage(account: "user.token"),
    cacheStrategy: .CACHE_ON_FAILURE
  )

  // Save succeeds and caches the token
  try await networkStorage.save(item: authToken)

  // If keychain becomes unavailable, cache provides fallback
  await KeychainStorage.of("user.token").fail()
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
  try await strategiesAreAsked()

  // With CACHE_ON_FAILURE strategy
  let storage = StorageDelegate(
    delegate: NetworkKeychain(account: "token"),
    cacheStrategy: .CACHE_ON_FAILURE
  )
  await NetworkKeychain.of("token").store(Item(name: "token"))

  // First successful get caches the result
  let token1 = try await storage.get()  // Fetches and caches

  // Later, if storage fails, cache provides fallback
  await NetworkKeychain.of("token").fail()
  let token2 = try await storage.get()  // Returns cached token
  expect(token1 == token2 && token2 == Item(name: "token"), "the cache provides the fallback")
}

/// Checks whether each strategy reads the cache or the store: the store has another item than the saved one.
func strategiesAreAsked() async throws {
  let saved = Item(name: "saved")
  let changed = Item(name: "changed")
  for (strategy, expected) in [
    (CacheStrategy.NO_CACHE, changed), (.CACHE, saved), (.CACHE_ON_FAILURE, changed),
  ] {
    let network = NetworkStorage()
    let storage = StorageDelegate(delegate: network, cacheStrategy: strategy)
    try await storage.save(item: saved)
    await network.store(changed)
    let user = try await storage.get()
    expect(user == expected, "the store is asked, or the cache, as the strategy says")
  }
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

    expect(retrieved == user && afterDelete == nil, "a deleted item is gone")

    // Both operations are performed even if one fails.
    try await storage.save(item: user)
    await network.fail()
    await expectFailure("a deletion that fails throws") { try await storage.delete() }
    let cached = try? await storage.get()
    expect(cached == nil, "the cache is cleared all the same")
  }
}

/// A custom store and a delegate over it, as PingStorage's users write them.
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

/// `cacheable: true` caches only successfully saved items.
func cacheable() async throws {
  let network = NetworkStorage()
  let storage = StorageDelegate(delegate: network, cacheable: true)
  try await storage.save(item: Item(name: "saved"))
  let read = try await storage.get()
  let reads = await network.reads
  expect(read == Item(name: "saved") && reads == 0, "a saved item is served from the cache")

  await network.fail()
  await expectFailure("a save that fails throws") { try await storage.save(item: Item(name: "lost")) }
  await network.mend()
  let truth = try await storage.get()
  expect(truth == Item(name: "saved"), "a save that failed is not cached")
}
