import Foundation
import Strata
import TestSupport

/// The chains that the contracts are tested on; each keeps all of them.
enum ChainKind: String, CaseIterable, Sendable {
  case disk, tinyMemory, compressed, byHand, memoryOnly, threeTiers

  var outlivesRestart: Bool { self != .memoryOnly }
  var hasMemoryInFront: Bool { self != .memoryOnly }
}

/// A chain over a folder, so that it can be opened again.
struct Chains: Sendable {
  let folder = TemporaryFolder()
  let kind: ChainKind
  let time = ManualClock()
  /// The store of a memory-only chain, which cannot be opened again.
  private let memory = MemoryStorage<String, TypeWrapper>()

  init(_ kind: ChainKind) { self.kind = kind }

  func disk(_ name: String) -> DiskConfig { DiskConfig(name: name, directory: folder.url, clock: time.clock) }

  var memoryConfig: MemoryConfig { MemoryConfig(countLimit: kind == .tinyMemory ? 2 : 0, clock: time.clock) }

  func open<Value: Codable & Sendable>(_ type: Value.Type) throws -> Storage<String, Value> {
    try open(.codable(type))
  }

  func open<Value: Sendable>(_ transformer: Transformer<Value>) throws -> Storage<String, Value> {
    let front = MemoryStorage<String, TypeWrapper>(config: memoryConfig)
    switch kind {
    case .disk, .tinyMemory:
      return try Storage(diskConfig: disk("main"), memoryConfig: memoryConfig, transformer: transformer)
    case .compressed:
      return try Storage(
        diskConfig: disk("main"), memoryConfig: memoryConfig, transformer: transformer.zlib())
    case .byHand:
      let tiers = HybridStorage(front: front, back: try DiskStorage<String>(config: disk("main")))
      return Storage(TypeWrapperStorage(tiers, transformer: transformer))
    case .memoryOnly:
      return Storage(TypeWrapperStorage(front, transformer: transformer))
    case .threeTiers:
      let near = HybridStorage(front: front, back: try DiskStorage<String>(config: disk("near")))
      return Storage(
        front: near, back: try DiskStorage<String>(config: disk("far")), transformer: transformer)
    }
  }
}

/// The ways to call a store, so that one test covers all of them.
enum Mode: String, CaseIterable, Sendable {
  case sync, async, completion

  func set<V>(_ storage: Storage<String, V>, _ key: String, _ value: V, _ expiry: Expiry? = nil) async throws
  {
    switch self {
    case .sync: try blocking { try storage.setObject(value, forKey: key, expiry: expiry) }
    case .async: try await storage.async.setObject(value, forKey: key, expiry: expiry)
    case .completion:
      try await called { storage.async.setObject(value, forKey: key, expiry: expiry, completion: $0) }
    }
  }

  func get<V>(_ storage: Storage<String, V>, _ key: String) async throws -> V? {
    switch self {
    case .sync: try blocking { try storage.objectIfPresent(forKey: key) }
    case .async: try await storage.async.objectIfPresent(forKey: key)
    case .completion: try await called { storage.async.objectIfPresent(forKey: key, completion: $0) }
    }
  }

  func entry<V>(_ storage: Storage<String, V>, _ key: String) async throws -> Entry<V> {
    switch self {
    case .sync: try blocking { try storage.entry(forKey: key) }
    case .async: try await storage.async.entry(forKey: key)
    case .completion: try await called { storage.async.entry(forKey: key, completion: $0) }
    }
  }

  func remove<V>(_ storage: Storage<String, V>, _ key: String) async throws {
    switch self {
    case .sync: try blocking { try storage.removeObject(forKey: key) }
    case .async: try await storage.async.removeObject(forKey: key)
    case .completion: try await called { storage.async.removeObject(forKey: key, completion: $0) }
    }
  }

  func removeAll<V>(_ storage: Storage<String, V>) async throws {
    switch self {
    case .sync: try blocking { try storage.removeAll() }
    case .async: try await storage.async.removeAll()
    case .completion: try await called { storage.async.removeAll(completion: $0) }
    }
  }

  func sweep<V>(_ storage: Storage<String, V>) async throws {
    switch self {
    case .sync: try blocking { try storage.removeExpiredObjects() }
    case .async: try await storage.async.removeExpiredObjects()
    case .completion: try await called { storage.async.removeExpiredObjects(completion: $0) }
    }
  }

  func keys<V>(_ storage: Storage<String, V>) async throws -> Set<String> {
    switch self {
    case .sync: Set(try blocking { try storage.allKeys() })
    case .async: Set(try await storage.async.allKeys())
    case .completion: Set(try await called { storage.async.allKeys(completion: $0) })
    }
  }

  func exists<V>(_ storage: Storage<String, V>, _ key: String) async throws -> Bool {
    switch self {
    case .sync: try blocking { try storage.objectExists(forKey: key) }
    case .async: try await storage.async.objectExists(forKey: key)
    case .completion: try await called { storage.async.objectExists(forKey: key, completion: $0) }
    }
  }

  @discardableResult
  func update<V>(
    _ storage: Storage<String, V>, _ key: String, _ modify: @escaping @Sendable (inout V) throws -> Void
  ) async throws -> V {
    switch self {
    case .sync: try blocking { try storage.update(forKey: key, modify) }
    case .async: try await storage.async.update(forKey: key, modify)
    case .completion: try await called { storage.async.update(forKey: key, modify, completion: $0) }
    }
  }

  func setMany<V>(_ storage: Storage<String, V>, _ objects: [String: V], _ expiry: Expiry? = nil) async throws
  {
    switch self {
    case .sync: try blocking { try storage.setObjects(objects, expiry: expiry) }
    case .async: try await storage.async.setObjects(objects, expiry: expiry)
    case .completion: try await called { storage.async.setObjects(objects, expiry: expiry, completion: $0) }
    }
  }

  func getMany<V>(_ storage: Storage<String, V>, _ keys: [String]) async throws -> [String: V] {
    let entries =
      switch self {
      case .sync: try blocking { try storage.entries(forKeys: keys) }
      case .async: try await storage.async.entries(forKeys: keys)
      case .completion: try await called { storage.async.entries(forKeys: keys, completion: $0) }
      }
    return entries.filter { !$0.value.expiry.isExpired(by: storage.clock) }.mapValues(\.object)
  }

  func removeMany<V>(_ storage: Storage<String, V>, _ keys: [String]) async throws {
    switch self {
    case .sync: try blocking { try storage.removeObjects(forKeys: keys) }
    case .async: try await storage.async.removeObjects(forKeys: keys)
    case .completion: try await called { storage.async.removeObjects(forKeys: keys, completion: $0) }
    }
  }

  func removeInMemory<V>(_ storage: Storage<String, V>, _ key: String) async throws {
    switch self {
    case .sync: try blocking { try storage.removeInMemoryObject(forKey: key) }
    case .async: try await storage.async.removeInMemoryObject(forKey: key)
    case .completion: try await called { storage.async.removeInMemoryObject(forKey: key, completion: $0) }
    }
  }
}

/// Waits for a function with a completion handler.
func called<R: Sendable>(
  _ start: (@escaping @Sendable (Result<R, any Error>) -> Void) -> Void
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in start { continuation.resume(with: $0) } }
}

/// A value that the tests store.
struct User: Codable, Equatable, Sendable {
  var name: String
  var visits = 0
}

/// Every combination of a chain and a way to call it.
let everything = ChainKind.allCases.flatMap { kind in Mode.allCases.map { (kind, $0) } }
