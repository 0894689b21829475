// The public names that programs rely on, each used once. The file only needs to type-check, which
// Tests/Scripts/names.sh does, and is never run. A change of one of these lines breaks programs: it needs a note in
// CHANGELOG.md.

import Foundation
import Strata
import StrataCBOR
import StrataLZ4
import StrataPostgres
import StrataS3
import StrataTestKit
import StrataZstd

struct User: Codable, Sendable, Equatable { var name: String }

func values() throws {
  let entry = Entry(object: 1, expiry: .never)
  let _: (Int, Expiry, String?) = (entry.object, entry.expiry, entry.filePath)
  let expiries: [Expiry] = [.never, .seconds(1), .date(Date())]
  _ = expiries.map { ($0.date, $0.isExpired) }
  let errors: [StorageError] = [
    .notFound, .typeNotMatch, .malformedFileAttributes, .decodingFailed, .encodingFailed, .deallocated,
    .transformerFail,
  ]
  _ = errors
  let _: any Error.Type = StorageError.self
}

func reading<S: StorageAware<String, User>>(_ store: S) async throws {
  let _: User = try await store.object(forKey: "a")
  let _: User? = try await store.objectIfPresent(forKey: "a")
  let _: Entry<User> = try await store.entry(forKey: "a")
  let _: Bool = try await store.objectExists(forKey: "a")
  let _: Bool = try await store.isExpiredObject(forKey: "a")
  let _: [String] = try await store.allKeys()
  let _: [User] = try await store.allObjects()
  try await store.setObject(User(name: ""), forKey: "a")
  let item: some ItemStorage<User> = store.item(forKey: "a")
  try await item.save(item: User(name: ""))
  _ = StorageDelegate(store, forKey: "a", cacheStrategy: .cache)
  let resilient: some StorageAware<String, User> = store.cacheStrategy(.cacheOnFailure, memory: .init())
  _ = resilient
  let _: User = try await store.object(forKey: "a", orLoad: { User(name: "") })
  _ = store.loading(LoadPolicy()) { request -> Loaded<User> in .value(User(name: request.key)) }
  _ = store.loading(value: { key in User(name: key) })
}
func readingSync<S: SyncStorageAware<String, User>>(_ store: S) throws {
  let _: User = try store.object(forKey: "a")
  let _: User? = try store.objectIfPresent(forKey: "a")
  let _: Entry<User> = try store.entry(forKey: "a")
  let _: Bool = try store.objectExists(forKey: "a")
  let _: Bool = try store.isExpiredObject(forKey: "a")
  let _: [String] = try store.allKeys()
  let _: [User] = try store.allObjects()
  try store.setObject(User(name: ""), forKey: "a")
  let sync = SyncStorage(store)
  let _: User = try sync.update(forKey: "a") { $0.name = "" }
}
func syncLoad(_ store: Storage<String, User>) throws {
  let _: User = try store.object(forKey: "a", orLoad: { User(name: "") })
}
func genericSyncLoad<S: SyncStorageAware<String, User>>(_ store: S) throws {
  let _: User = try store.object(forKey: "a", orLoad: { User(name: "") })
}

func transformers() throws {
  let _ = Transformer<Int>(toData: { _ in Data() }, fromData: { _ in 1 })
  let _: Transformer<Data> = .data
  let _: Transformer<User> = .codable(User.self)
  let _: Transformer<User> = .propertyList(User.self)
  let _: Transformer<User> = .codable(User.self).then(.zlib())
  let _ = ByteTransformer(encode: { $0 }, decode: { $0 })
  let _: Transformer<User> = TransformerFactory.forCodable(ofType: User.self)
  let _: Transformer<Data> = TransformerFactory.forData()
  let _: Data = try TypeWrapper(data: Data()).data()
  let _: ByteTransformer = .zlib(level: 6)
  let _: Transformer<User> = .codable(User.self).zlib(level: 6)
  let _: Transformer<User> = TransformerFactory.forZlib(.codable(User.self), level: 6)
  let _: Transformer<User> = .cbor(User.self).zstd(level: 3, dictionary: .none)
  let _: Transformer<User> = .cbor(User.self).zstd()
  let _: Transformer<User> = .cbor(User.self).lz4()
  let _: User = try CBORDecoder().decode(User.self, from: CBOREncoder().encode(User(name: "")))
}

func chains(_ memory: MemoryStorage<String, TypeWrapper>, _ disk: DiskStorage<String>) async throws {
  let hybrid = HybridStorage(front: memory, back: disk)
  _ = (hybrid.front, hybrid.back)
  let typed = TypeWrapperStorage(hybrid, transformer: .codable(User.self))
  _ = typed.transform(to: Transformer<Int>.codable(Int.self))
  let users = Storage(typed)
  _ = Storage(front: memory, back: disk, transformer: .codable(User.self))
  let _: Storage<String, User> = try Storage(
    diskConfig: DiskConfig(name: "x"), memoryConfig: .init(), transformer: .codable(User.self))
  let asynchronous: AsyncStorage<String, User> = users.async
  _ = AsyncStorage(typed)
  _ = users.transform(to: Transformer<Int>.codable(Int.self))
  let _: Storage<String, Int> = users.transform(to: Int.self)
  let _: Storage<String, Data> = users.transformData()
  let _: Storage<String, Int> = users.transformCodable(ofType: Int.self)
  try await users.removeInMemoryObject(forKey: "a")
  final class Observer: Sendable {}
  let observer = Observer()
  let _: ObservationToken = users.addStorageObserver(observer) {
    (_: Observer, _: Storage<String, User>, change: StorageChange<String>) in
    switch change {
    case .add(key: _), .remove(key: _), .removeAll, .removeExpired, .removeInMemory(key: _): break
    }
  }
  let token = users.addObserver(observer, forKey: "a") {
    (_: Observer, _: Storage<String, User>, change: KeyChange<User>) in
    switch change {
    case .edit(before: _, after: _), .remove: break
    }
  }
  token.cancel()
  users.removeAllStorageObservers()
  users.removeObserver(forKey: "a")
  users.removeAllKeyObservers()
  for await _ in users.changes { break }
  let _: Int? = users.totalDiskStorageSize
  asynchronous.object(forKey: "a") { (_: Result<User, any Error>) in }
  asynchronous.setObject(User(name: ""), forKey: "a") { (_: Result<Void, any Error>) in }
  let typedDisk: some StorageAware<String, User> = disk.transform(to: Transformer<User>.codable(User.self))
  let typedSync: some SyncStorageAware<String, User> = disk.transform(to: User.self)
  _ = (typedDisk, typedSync)
  let _ = MemoryStorage<String, Int>(
    config: MemoryConfig(expiry: .never, countLimit: 0, totalCostLimit: 0), cost: { _, _ in 1 })
  let _ = MemoryStorage(dictionary: ["a": 1])
  let _: any UpdateableStorage<String, Int> = MemoryStorage<String, Int>()
  let _ = DiskConfig(name: "a", expiry: .never, maxSize: 0, directory: nil)
  let _: String = disk.path
  let _: Int = disk.totalSize
  let _: DiskStorage<String> = DiskStorage.folder("x", in: .cachesDirectory)
}
enum Key: String, StorageKey { case a }
func keys() {
  func take<K: StorageKey>(_: K.Type) {}
  take(String.self)
  take(Int.self)
  take(UUID.self)
  take(URL.self)
  take(Key.self)
  _ = Key.a.storageKey
  _ = Key(storageKey: "a")
}

func delegates(_ item: any ItemStorage<User>) async throws {
  let _: [CacheStrategy] = [.noCache, .cache, .cacheOnFailure, .NO_CACHE, .CACHE, .CACHE_ON_FAILURE]
  _ = StorageDelegate(delegate: item, cacheStrategy: .noCache)
  class Own: StorageDelegate<User>, @unchecked Sendable {}
  let memory = Memory<User>()
  try await memory.save(item: User(name: ""))
  _ = try await memory.get()
  try await memory.delete()
  let encryptor: any Encryptor = NoEncryptor()
  _ = try await encryptor.decrypt(data: encryptor.encrypt(data: Data()))
  do { throw EncryptorError.failedToEncrypt } catch EncryptorError.failedToDecrypt {} catch {}
  switch EncryptorError.failedToEncrypt.kind {
  case .failedToEncrypt, .failedToDecrypt: break
  }
  switch KeychainError.unableToSave.kind {
  case .unableToSave, .unableToRetrieve, .unableToDelete: break
  }
  let _: [String] = [
    EncryptorError.failedToDecrypt.errorMessage, KeychainError.unableToRetrieve.errorMessage,
    KeychainError.unableToDelete.errorMessage,
  ]
}

func algebra(_ store: MemoryStorage<String, User>, _ bytes: MemoryStorage<String, Data>) async throws {
  _ = store.readOnly()
  _ = store.writeOnly()
  _ = store.mapValues(to: String.self) { $0.name }
  _ = store.mapValues(to: String.self, mapTo: { $0.name }, mapFrom: { User(name: $0) })
  _ = store.mapKeys(to: Int.self) { String($0) }
  _ = store.transformingStorages(readable: { $0 }, writable: { $0 })
  _ = store.combined(with: store)
  _ = store.backed(by: store)
  _ = store.pushing(to: store)
  _ = zip(store, store)
  _ = store.serial()
  _ = try await store.update(forKey: "a") { $0.name = "" }
  _ = store.recover(with: { _ in User(name: "") })
  _ = store.defaulting(to: User(name: ""))
  let single = store.singleKey("a")
  _ = try await single.retrieve()
  try await single.set(User(name: ""))
  _ = bytes.mapString(withEncoding: .utf8)
  _ = bytes.mapJSON()
  _ = bytes.mapJSONDictionary()
  _ = bytes.mapJSONObject(User.self)
  _ = bytes.mapPlist()
  _ = bytes.mapPlistDictionary()
  _ = bytes.mapPlistObject(User.self)
  let _: String = store.storageHierarchy()
  _ = store.reach(toFirst: MemoryStorage<String, User>.self)
  _ = store.reachToFirst(where: { _ in true })
  _ = store.reachToFirst(whereNotNil: { $0 as? DiskStorage<String> })
  _ = store.obscureWrappedStorages()
  let _: JSONValue = ["a": 1]
}

func loading(_ store: LoadingStorage<String, User>, _ memory: MemoryStorage<String, Cached<User>>)
  async throws
{
  var policy = LoadPolicy()
  policy.retryAfter = .seconds(10)
  let _: String = Tag("a").name
  let _: Transformer<User> = .codable
  policy.freshFor = .seconds(1)
  policy.staleFor = .seconds(1)
  policy.absentFor = .seconds(1)
  policy.softTimeout = .seconds(1)
  policy.hardTimeout = .seconds(1)
  policy.neverOlderThan = .seconds(1)
  policy.jitter = 0
  policy.retryAfter = .fixed(.seconds(1))
  policy.afterTimeout = .finish
  policy.refreshAhead = .at(0.8)
  policy.onError = .shareWithWaiters
  policy.lease = .none
  let _: [Loaded<User>] = [
    .value(User(name: ""), freshFor: nil, staleFor: nil, tags: []), .notModified(), .absent(),
    .once(User(name: "")), .failed(StorageError.notFound, orElse: nil),
  ]
  _ = memory.loading(policy, many: { requests in [:] }, chunk: 10)
  _ = memory.loading(many: { requests in [:] }, chunk: 10)
  for try await _ in store.keyPages(of: 10) {}
  try await store.refresh(forKey: "a")
  try await store.expire(forKey: "a")
  try await store.expireAll()
  try await store.remove(tagged: "a")
  let tag: String = "b"
  try await store.remove(tagged: tag)
  try await store.remove(tagged: "team/\(tag)")
  _ = try await store.objects(forKeys: ["a"])
  for await _ in store.events { break }
  _ = store.statistics
  ManualClock().advance(by: .seconds(1))
  _ = FaultyStorage(store, seed: 1, failing: 0, delay: .zero ... .seconds(1))
}
func servers(_ client: PostgresClient) throws {
  _ = try PostgresStorage<String>(client: client, table: "a")
  _ = try S3Storage<String>(config: S3Config(bucket: "a"), prefix: "b")
  _ = try S3Storage<String>(config: S3Config(bucket: "a"))
}

func seenFromOutside(_ store: Storage<String, User>, _ chain: AsyncStorage<String, User>) async {
  for await event in store.events {
    let _: (StorageEvent<String>.Kind, String) = (event.kind, event.tier)
    let _: (String?, Duration?) = (event.key, event.duration)
    break
  }
  for await _ in chain.events { break }
  store.listen { _ in }.cancel()
  let health = await store.health()
  for tier in health.tiers {
    let _: (String, Bool, Duration) = (tier.name, tier.isAvailable, tier.latency)
    _ = tier.since
  }
  let statistics = store.statistics
  let _: [TierStatistics] = statistics.tiers
  let _: String = statistics.openMetrics(store: "users")
}

func life(_ store: Storage<String, User>) async throws {
  let maintenance = StorageMaintenance(
    of: [store], sweepInterval: .seconds(60), shutdownLimit: .seconds(10), clock: ContinuousClock()
  ) { error, store in print(store, error) }
  try await maintenance.run()
  try await maintenance.shutDown()
}
struct Connected: StorageLifecycle {}

func streams<S: StorageAware<String, Data>>(_ store: S, _ file: URL) async throws {
  let bytes = AsyncStream<Data> { $0.finish() }
  try await store.write(forKey: "a", expiry: nil, from: bytes)
  try await store.write(forKey: "a", from: bytes)
  try await store.write(forKey: "a", from: AsyncStream<UInt8> { $0.finish() })
  try await store.importFile(file, forKey: "a")
  try await store.importFile(file, forKey: "a", expiry: .seconds(1))
  try await store.exportFile(forKey: "a", to: file)
  let stored = try await store.read(forKey: "a")
  let _: (Int, Expiry, String?, Date?) = (stored.length, stored.expiry, stored.version, stored.modified)
  for try await part in try await store.read(forKey: "a", range: 0..<1_000_000) { let _: Data = part }
  let _: URL? = try await store.fileURL(forKey: "a")?.url
  _ = try await store.read(forKey: "a", range: 0..<1, expiry: .never) { StoredBytes(Data()) }
}
