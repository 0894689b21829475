import Foundation
import Strata
@testable import StrataTestKit

/// The fault of two tiers that are built by hand.
enum NaiveRule: Sendable {
  /// A value that was read is copied to the front, whatever has been written meanwhile.
  case copiesLate
  /// A front that refuses a copy fails the read.
  case failsWithFront
  /// The front is written first, and has the value if the back then fails.
  case writesFrontFirst
  /// The front has what it had in an earlier run.
  case keepsFront
}

/// Returns a store behind a front that has a fault.
func naive<Back: StorageAware>(
  _ back: Back, _ rule: NaiveRule, _ tiers: ChainTiers
) -> any StorageAware<String, Back.Value> where Back.Key == String {
  let memory = MemoryStorage<String, Back.Value>(config: MemoryConfig(clock: tiers.clock))
  return NaiveTiers(
    front: tiers.front(memory), back: back, rule: rule, stale: EarlierRuns.copies(at: tiers.path))
}

/// The copies of the front in earlier runs, which stand for files.
private enum EarlierRuns {
  static let places = Locked<[String: Shared<[String: any Sendable]>]>([:])

  static func copies(at path: String) -> Shared<[String: any Sendable]> {
    places.withLock { places in
      let copies = places[path] ?? Shared([:])
      places[path] = copies
      return copies
    }
  }
}

/// Two tiers without an order, without coherence and with a fault.
struct NaiveTiers<Back: StorageAware>: SimpleStorage where Back.Key == String {
  let front: any SyncStorageAware<String, Back.Value>
  let back: Back
  let rule: NaiveRule
  let stale: Shared<[String: any Sendable]>

  var clock: StorageClock { back.clock }

  func entryIfPresent(forKey key: String) async throws -> Entry<Back.Value>? {
    if rule == .keepsFront, let copy = stale.value[key] as? Entry<Back.Value> { return copy }
    if let copy = try await front.entryIfPresent(forKey: key) { return copy }
    guard let entry = try await back.entryIfPresent(forKey: key) else { return nil }
    if rule == .keepsFront { stale.change { $0[key] = entry } }
    do { try await front.setObject(entry.object, forKey: key, expiry: entry.expiry) } catch {
      if rule == .failsWithFront { throw error }
    }
    return entry
  }

  func setObject(_ object: Back.Value, forKey key: String, expiry: Expiry?) async throws {
    if rule == .writesFrontFirst { try await front.setObject(object, forKey: key, expiry: expiry) }
    try await back.setObject(object, forKey: key, expiry: expiry)
    if rule != .writesFrontFirst { try await front.setObject(object, forKey: key, expiry: expiry) }
  }

  func removeObject(forKey key: String) async throws {
    try await back.removeObject(forKey: key)
    try await front.removeObject(forKey: key)
  }
  func removeAll() async throws {
    try await back.removeAll()
    try await front.removeAll()
  }
  func removeExpiredObjects() async throws {
    try await back.removeExpiredObjects()
    try await front.removeExpiredObjects()
  }
  func keys() async throws -> [String] { try await back.keys() }
}

extension NaiveTiers {
  func change(_ key: String, _ change: StoreChange<Back.Value>, _ how: How) async throws -> Bool {
    // A front that is dropped has no copy.
    if case .forget = change.kind { return try await front.change(key, .remove, how) }
    switch change.kind {
    case .set(let expiry), .replace(let expiry):
      try await setObject(change.object, forKey: key, expiry: expiry)
    case .remove: try await removeObject(forKey: key)
    default: return try await back.change(key, change, how)
    }
    return true
  }
}
