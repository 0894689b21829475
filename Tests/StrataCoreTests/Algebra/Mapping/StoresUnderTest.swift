import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// The stores with which the laws are tested.
enum StoreKind: CaseIterable {
  case dictionary, bytes, tiers, slow

  func make(clock: StorageClock) -> any StorageAware<String, Int> {
    switch self {
    case .dictionary: DictionaryStorage(clock: clock)
    case .bytes: DictionaryStorage<String, Data>(clock: clock).transform(to: Int.self)
    case .tiers:
      TypeWrapperStorage(
        HybridStorage(
          front: DictionaryStorage<String, TypeWrapper>(clock: clock),
          back: DictionaryStorage<String, Data>(clock: clock)),
        transformer: .codable(Int.self))
    case .slow: SlowStorage(DictionaryStorage(clock: clock))
    }
  }

  /// Each kind with each of its variants.
  static let uses: [(StoreKind, Half)] = allCases.flatMap { kind in
    kind == .slow ? [(kind, .async)] : Half.allCases.map { (kind, $0) }
  }
}

/// Returns a store that is used through its sync or its async functions only.
func used(
  _ store: any StorageAware<String, Int>, _ half: Half
) throws -> any StorageAware<String, Int> {
  func face(_ store: some SyncStorageAware<String, Int>) -> any StorageAware<String, Int> {
    SyncFace(base: store)
  }
  if half == .async { return store }
  let synchronous: any SyncStorageAware<String, Int> = try #require(
    store as? any SyncStorageAware<String, Int>)
  return face(synchronous)
}

/// Everything that reads return for some keys of a store.
struct Sight: Equatable {
  var keys: Set<String>
  var entries: [String: Entry<Int>] = [:]
  var batch: [String: Entry<Int>]
  var expiries: [String: Expiry] = [:]
  var retrieved: [String: Int] = [:]
  var existing: Set<String> = []
  var objects: [Int]

  init(of store: some StorageAware<String, Int>, _ names: [String]) async throws {
    keys = Set(try await store.keys())
    batch = try await store.entries(forKeys: names)
    objects = try await store.allObjects().sorted()
    for name in names {
      entries[name] = try await store.entryIfPresent(forKey: name)
      expiries[name] = try await store.expiryIfPresent(forKey: name)
      if try await store.objectExists(forKey: name) { existing.insert(name) }
      do { retrieved[name] = try await store.retrieve(forKey: name) } catch StorageError.notFound {}
    }
  }
}

/// A change of a store.
enum Step {
  case set(String, Int, Expiry?)
  case write(String, Int)
  case setMany([String: Int], Expiry?)
  case remove(String)
  case removeMany([String])
  case removeAll, sweep, forget(String)
  case wait(Double)

  static let names = ["a", "b", "c", "ß", ""]

  static func random(using generator: inout SeededGenerator) -> Step {
    func name() -> String { names.randomElement(using: &generator) ?? "" }
    func value() -> Int { .random(in: -50...50, using: &generator) }
    func expiry() -> Expiry? {
      [nil, .never, .seconds(5), .seconds(0)].randomElement(using: &generator) ?? nil
    }
    return switch Int.random(in: 0..<14, using: &generator) {
    case 0...3: .set(name(), value(), expiry())
    case 4: .write(name(), value())
    case 5, 6: .setMany([name(): value(), "d": value()], expiry())
    case 7: .remove(name())
    case 8: .removeMany([name(), name()])
    case 9: .removeAll
    case 10: .sweep
    case 11: .forget(name())
    default: .wait(3)
    }
  }

  func apply(to store: some StorageAware<String, Int>, _ time: ManualClock) async throws {
    switch self {
    case .set(let key, let value, let expiry): try await store.setObject(value, forKey: key, expiry: expiry)
    case .write(let key, let value): try await store.set(value, forKey: key)
    case .setMany(let values, let expiry): try await store.setObjects(values, expiry: expiry)
    case .remove(let key): try await store.removeObject(forKey: key)
    case .removeMany(let keys): try await store.removeObjects(forKeys: keys)
    case .removeAll: try await store.removeAll()
    case .sweep: try await store.removeExpiredObjects()
    case .forget(let key): try await store.removeInMemoryObject(forKey: key)
    case .wait(let seconds): time.advance(by: seconds)
    }
  }
}
