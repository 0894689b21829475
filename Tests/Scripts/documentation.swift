// The declarations that the documentation's examples use without showing them. They only need to type-check and are
// never run.
//
// If two examples use one name for different things, an example has its own declaration in an extension of the enum
// that is named after its file.

import Foundation
import Strata
import StrataCBOR
import StrataHTTP
import StrataKeychain
import StrataLMDB
import StrataLZ4
import StrataObservation
import StrataParts
import StrataPostgres
@testable import StrataRedis
import StrataRocksDB
import StrataS3
import StrataSQLite
import StrataSodium
import StrataTestKit
import StrataZstd
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func any<T>(_ type: T.Type = T.self) -> T { fatalError("an example was run") }

struct User: Codable, Sendable {
  var name: String
  var visits = 0
  var isActive = false
}
struct City: Codable, Sendable {
  static var unknown: City { any() }
}
struct Event: Codable, Sendable {}
struct Session: Codable, Sendable {}
struct Token: Codable, Sendable {}
struct Image: Sendable {
  init(png: Data) throws {}
  func png() throws -> Data { any() }
}
struct Identity {
  struct Pass {
    let text: String
    let seconds: Int
  }
  func token(for service: String) async throws -> Pass { any() }
}
struct Message { let keys: [String] }
struct UserDatabase {
  func user(_ id: UUID) throws -> User { any() }
  func users(_ ids: [UUID]) async throws -> [UUID: User] { any() }
}
struct Bank { func rates() async throws -> Data { any() } }
struct Logger { func warning(_ text: String) {} }
var ids: [UUID] { any() }

final class MyStore: SyncSimpleStorage {
  init(path: String, expiry: Expiry = .never, clock: StorageClock = .system) throws {}
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { any() }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {}
  func removeObject(forKey key: String) throws {}
  func removeAll() throws {}
  func removeExpiredObjects() throws {}
  func keys() throws -> [String] { any() }
}

final class LevelDBEngine: KeyValueEngine {
  init(path: String) throws {}
  func read<R>(
    _ key: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> R
  ) throws -> R? { any() }
  func write(_ changes: [EngineChange]) throws {}
  func scan(from key: UnsafeRawBufferPointer, _ body: Visitor) throws {}
  func close() {}
}

final class MemcachedServer: KeyValueServer {
  init(host: String) throws {}
  var address: String { any() }
  func read(_ names: [String]) async throws -> [ServerRecord?] { any() }
  func write(_ changes: [ServerChange]) async throws -> [Bool] { any() }
  func names(beginning prefix: String, after cursor: KeyCursor?) async throws -> KeyPage<ServerName> { any() }
}

var users: Storage<String, User> { any() }
var ada: User { any() }
var storage: AsyncStorage<String, User> { any() }
var disk: DiskStorage<String> { any() }
var backup: DiskStorage<String> { any() }
var memcached: any StorageAware<String, Data> { any() }
var texts: MemoryStorage<String, String> { any() }
var bundledTexts: MemoryStorage<String, String> { any() }
var counters: AsyncStorage<String, Int> { any() }
var lists: AsyncStorage<String, [Int]> { any() }
var cities: AsyncStorage<String, City> { any() }
var cache: MemoryStorage<String, User> { any() }
var names: AsyncStorage<String, String> { any() }
var ages: AsyncStorage<String, Int> { any() }
var owners: AsyncStorage<String, String> { any() }
var memory: MemoryStorage<String, User> { any() }
var films: DiskStorage<String> { any() }
var bucket: S3Storage<String> { any() }
struct Upload { var body: AsyncStream<Data> { any() } }
var upload: Upload { any() }
struct Player { func play(_ url: URL) {} }
var player: Player { any() }
func send(_ part: Data) throws {}
var url: URL { any() }
var id: UUID { any() }
var user: UUID { any() }
var json: Data { any() }
var bytes: Data { any() }
var png: Data { any() }
var key: SecretKey { any() }
var ring: KeyRing { any() }
var identity: Identity { any() }
var token: Token { any() }
var passphrase: String { any() }
var subject: Subject { any() }
var tier: MemoryStorage<String, TypeWrapper> { any() }
var profiles: LoadingStorage<String, User> { any() }
var web: HTTPCache<URLSessionStorage, DiskStorage<String>> { any() }
var accounts: KeychainAccounts<String> { any() }
var redis: RedisStorage<String> { any() }
var rows: PostgresStorage<String> { any() }
var client: PostgresClient { any() }
var objects: S3Storage<String> { any() }
var pages: SQLiteStorage<String> { any() }
var samples: [Data] { any() }

final class Watcher: Sendable {}
var watcher: Watcher { any() }

/// A table of records by key, as an engine may have one.
struct Table {
  subscript(key: [UInt8]) -> Data? {
    get { any() }
    nonmutating set {}
  }
  func record(of key: [UInt8]) throws -> Data? { any() }
  func records(from key: [UInt8]) throws -> [([UInt8], Data)] { any() }
  func names(after name: String, limit: Int) throws -> [String] { any() }
  func transaction<R>(_ body: (Table) throws -> R) throws -> R { any() }
  func close() {}
}
var table: Table { any() }

struct Hardware {
  func encrypt(_ data: Data) async throws -> Data { any() }
  func decrypt(_ data: Data) async throws -> Data { any() }
}
var hardware: Hardware { any() }

/// A source of users, which loaders call.
struct Directory {
  struct Answer {
    let user: User?
    let version: String
  }
  func find(_ name: String) async throws -> User? { any() }
  func user(_ name: String, useMirror: Bool) async throws -> User { any() }
  func user(_ name: String, unless version: String?) async throws -> Answer { any() }
}
var directory: Directory { any() }

extension In_AsyncSequence_Encrypted {
  static var file: AsyncThrowingStream<Data, any Error> { any() }
  static var output: FileHandle { any() }
}
extension In_ByteTransformer {
  struct Mask {
    let mask, unmask: @Sendable (Data) throws -> Data
  }
  static var cipher: Mask { any() }
}
extension In_EncryptorError { static var isTest: Bool { any() } }
extension In_FaultyStorage { static var slow: FaultyStorage<AsyncStorage<String, User>> { any() } }
extension In_InvalidationSource {
  final class Server {
    var onMessage: (Message) -> Void = { _ in }
    var onDisconnect: () -> Void = {}
    var onReconnect: () -> Void = {}
  }
  static var server: Server { any() }
}
extension In_StagedBytes { static var parts: [Data] { any() } }
extension In_StoredBytes {
  struct Reader: Sendable { func next() async throws -> Data? { any() } }
  struct Archive: Sendable { func reader(of range: Range<Int>) throws -> Reader { any() } }
  static var archive: Archive { any() }
  static var size: Int { any() }
}
extension In_KeyPages { static var archive: Storage<String, User> { any() } }
extension In_KeyValueEngine { static var engine: LevelDBEngine { any() } }
extension In_KeychainError { static var keychain: any ItemStorage<Token> { any() } }
extension In_LMDBError { static var readings: LMDBStorage<String> { any() } }
extension In_LoadStatistics { static var users: LoadingStorage<String, User> { any() } }
extension In_Reencryption { static var secrets: EncryptedStorage<DiskStorage<String>> { any() } }
extension In_ReplayingStorage_Replaying {
  static var queued: ReplayingStorage<AsyncStorage<String, User>> { any() }
}
extension In_RocksDBError { static var readings: RocksDBStorage<String> { any() } }
extension In_RocksDBStatistics { static var readings: RocksDBStorage<String> { any() } }
extension In_RocksDBStorage { static var readings: RocksDBStorage<String> { any() } }
extension In_S3Addressing { static var endpoint: URL { any() } }
extension In_StorageLifecycle {
  struct Outbox {
    var count: Int { any() }
    func sendAll() async throws {}
    func disconnect() {}
  }
}
extension In_Vault { static var vault: Vault { any() } }
extension In_MapValues { static var encryptor: any Encryptor { any() } }
extension In_ComposedStorage {
  static var replica: MemoryStorage<String, User> { any() }
  static var primary: MemoryStorage<String, User> { any() }
  static func parse(_ text: String) throws -> Date { any() }
  static func print(_ date: Date) -> String { any() }
}
extension In_KeychainStorage { static var new: Session { any() } }
extension In_LMDBStorage { static var images: LMDBStorage<String> { any() } }
extension In_LoadingStorage {
  static var storage: AsyncStorage<UUID, User> { any() }
  static var database: UserDatabase { any() }
}
extension In_MapKeys {
  enum ImageKey: String { case kitten, puppy }
  static var images: AsyncStorage<String, Image> { any() }
}
extension In_MapValues { static var files: AsyncStorage<String, Data> { any() } }
extension In_MemoryStorage_Loading {
  static var memory: MemoryStorage<UUID, User> { any() }
  static var database: UserDatabase { any() }
}
extension In_Plugins_SQLite_README { static func renewed(_ json: Data) throws -> Data { any() } }
extension In_Plugins_Sodium_README {
  static var words: String { any() }
  static var salt: PassphraseSalt { any() }
  static var tokens: Storage<String, Secret<Data>> { any() }
  static func receive(into buffer: UnsafeMutableRawBufferPointer) {}
  static func send(_ bytes: UnsafeRawBufferPointer) {}
}
extension In_PublicKey { static var published: Data { any() } }
extension In_Recover { static var placeholder: Data { any() } }
extension In_Plugins_S3_README {
  struct Model: Codable, Sendable {}
  static var model: Model { any() }
  static var endpoint: URL { any() }
}
extension In_S3Storage { static var weights: Data { any() } }
extension In_StorageAware_Pages {
  static func isOld<Key>(_ key: Key) -> Bool { any() }
  static func report<Key>(_ key: Key, _ user: User) {}
}
extension In_SyncStorageAware_Pages { static func isOld<Key>(_ key: Key) -> Bool { any() } }
extension In_PostgresClient {
  static var keys: [String] { any() }
  static func warmUp(_ key: String) async {}
}
extension In_PostgresStorage_Figures { static var sessions: PostgresStorage<UUID> { any() } }
extension In_RedisClient_Figures { static var client: RedisClient { any() } }
extension In_RedisClient_Executor {
  static var keys: [String] { any() }
  static func warmUp(_ key: String) async {}
}
extension In_RedisCommand { static var node: RedisNode { any() } }
extension In_EngineStorage_Reading { static var readings: RocksDBStorage<String> { any() } }
extension In_ZstdDictionary { static var pages: [Data] { any() } }
extension In_Sources_StrataMemory_README {
  static var page: Data { any() }
  static var url: String { any() }
  static func download(_ url: String) throws -> Data { any() }
}
extension In_StorageAware_Loading {
  static var memory: MemoryStorage<UUID, User> { any() }
  static var database: UserDatabase { any() }
}
extension In_StorageAware_ObjectOrLoad {
  static var users: Storage<UUID, User> { any() }
  static var database: UserDatabase { any() }
}
extension In_StorageAware_LoadingMany {
  static var memory: MemoryStorage<UUID, Cached<User>> { any() }
  static var database: UserDatabase { any() }
}
extension In_StorageLease {
  static var lease: StorageLease { any() }
  static var bank: Bank { any() }
}
extension In_LoadingStorage_Bulk {
  static var users: LoadingStorage<UUID, User> { any() }
  static var logger: Logger { any() }
}
extension In_ReplayingStorage {
  static var memory: MemoryStorage<String, TypeWrapper> { any() }
  static var policy: LoadPolicy { any() }
  static func load(_ request: LoadRequest<String, User>) async throws -> Loaded<User> { any() }
}
extension In_SyncLoadingStorage {
  static var memory: MemoryStorage<UUID, Cached<User>> { any() }
  static var database: UserDatabase { any() }
  static var id: UUID { any() }
}
extension In_Storage_Loading {
  static var storage: Storage<UUID, User> { any() }
  static var database: UserDatabase { any() }
}
extension In_Storage_ObjectOrLoad {
  static var users: Storage<UUID, User> { any() }
  static var database: UserDatabase { any() }
}
extension In_StorageAware_CacheStrategy {
  typealias Tiers = HybridStorage<MemoryStorage<String, TypeWrapper>, DiskStorage<String>>
  static var chain: TypeWrapperStorage<Tiers, User> { any() }
}
