import Foundation
import Strata
import TestSupport

/// A byte store whose operations sometimes fail without an effect, or are slow.
final class MoodyStorage: TellingStorage {
  private let base = DictionaryStorage<String, Data>()
  private let random: Locked<SeededGenerator>

  init(seed: UInt64) { random = Locked(SeededGenerator(seed: seed)) }

  var mayBlock: Bool { true }
  var clock: StorageClock { base.clock }

  private func perform<R>(_ operation: () throws -> R) throws -> R {
    switch random.withLock({ Int.random(in: 0..<40, using: &$0) }) {
    case 0, 1: throw Failure.first
    case 2: for _ in 0..<100 { sched_yield() }
    default: break
    }
    return try operation()
  }

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    try perform { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try perform { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func setObjectAtOnce(_ object: Data, forKey key: String, expiry: Expiry?) throws -> Bool {
    if random.withLock({ Bool.random(using: &$0) }) { return false }
    try setObject(object, forKey: key, expiry: expiry)
    return true
  }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) throws {
    try perform { for (key, object) in objects { try base.setObject(object, forKey: key, expiry: expiry) } }
  }
  func removeObject(forKey key: String) throws { try perform { try base.removeObject(forKey: key) } }
  func removeObjects(forKeys keys: [String]) throws {
    try perform { for key in keys { try base.removeObject(forKey: key) } }
  }
  func removeAll() throws { try perform { try base.removeAll() } }
  func removeExpiredObjects() throws { try perform { try base.removeExpiredObjects() } }
  func keys() throws -> [String] { try perform { try base.keys() } }
}

/// The asynchronous variant: it suspends, and sometimes waits until other tasks have run.
struct MoodyServer: SimpleStorage {
  let base: MoodyStorage

  private func pause() async { for _ in 0..<Int.random(in: 0..<3) { await Task.yield() } }

  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    await pause()
    return try blocking { try base.entryIfPresent(forKey: key) }
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    await pause()
    try blocking { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) async throws {
    await pause()
    try blocking { try base.setObjects(objects, expiry: expiry) }
  }
  func removeObject(forKey key: String) async throws {
    await pause()
    try blocking { try base.removeObject(forKey: key) }
  }
  func removeObjects(forKeys keys: [String]) async throws {
    await pause()
    try blocking { try base.removeObjects(forKeys: keys) }
  }
  func removeAll() async throws {
    await pause()
    try blocking { try base.removeAll() }
  }
  func removeExpiredObjects() async throws { try blocking { try base.removeExpiredObjects() } }
  func keys() async throws -> [String] { try blocking { try base.keys() } }
}

/// Random chains of combinators over a moody store.
struct RandomChain {
  var random: SeededGenerator
  private(set) var links: [String] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func moody() -> MoodyStorage { MoodyStorage(seed: random.next()) }

  /// Returns a chain that is used with and without `await`.
  mutating func storage() -> Storage<String, Int> {
    if Int.random(in: 0..<6, using: &random) == 0 {
      links = ["memory alone"]
      return Storage(
        TypeWrapperStorage(MemoryStorage<String, TypeWrapper>(), transformer: .codable(Int.self)))
    }
    var bytes: any SyncStorageAware<String, Data> = moody()
    for _ in 0..<Int.random(in: 0..<3, using: &random) { bytes = link(bytes) }
    return open(bytes)
  }

  /// Returns a chain that needs `await`.
  mutating func server() -> AsyncStorage<String, Int> {
    links = ["server"]
    let server = MoodyServer(base: moody())
    let memory = MemoryStorage<String, TypeWrapper>(config: config())
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return AsyncStorage(back: server, transformer: .codable(Int.self))
    case 1: return AsyncStorage(front: memory, back: server, transformer: .codable(Int.self))
    default:
      return AsyncStorage(
        front: memory, back: MemoryStorage<String, Data>().combined(with: server),
        transformer: .codable(Int.self))
    }
  }

  private mutating func config() -> MemoryConfig {
    MemoryConfig(countLimit: Bool.random(using: &random) ? 2 : 0)
  }

  private mutating func link(
    _ bytes: some SyncStorageAware<String, Data>
  ) -> any SyncStorageAware<String, Data> {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      links.append("combined")
      return MemoryStorage<String, Data>(config: config()).combined(with: bytes)
    case 1:
      links.append("mapped")
      return bytes.mapValues(mapTo: { Data($0.reversed()) }, mapFrom: { Data($0.reversed()) })
    case 2:
      links.append("serial")
      return bytes.serial()
    default:
      links.append("asked")
      return bytes.cacheStrategy(.noCache)
    }
  }

  private mutating func open(_ bytes: some SyncStorageAware<String, Data>) -> Storage<String, Int> {
    if Bool.random(using: &random) {
      links.append("alone")
      return Storage(back: bytes, transformer: .codable(Int.self))
    }
    links.append("memory")
    return Storage(
      front: MemoryStorage<String, TypeWrapper>(config: config()), back: bytes,
      transformer: .codable(Int.self))
  }
}
