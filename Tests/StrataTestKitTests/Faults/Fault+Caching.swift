import Foundation
import StrataCore
import TestSupport
import StrataTestKit

/// Faults of a cache beside the store that a batch does not bring up to date.
extension Fault {
  static let ofCaching = [
    Fault(
      .batches, "after setObjects of a key that was read, peek gives",
      Subject("peek shows what a batch has replaced") { Remembering(base: Reference(at: $0), shows: .peek) }),
    Fault(
      .batches, "after setObjects of a key that was read, cachedEntry gives",
      Subject("has at hand what a batch has replaced") { Remembering(base: Reference(at: $0), shows: .entry) }
    ),
    Fault(
      .batches, "after setObjects of a key that was read, expiryIfPresent answers",
      Subject("tells the expiry of what a batch has replaced") {
        Remembering(base: Reference(at: $0), shows: .expiry)
      }),
    Fault(
      .batches, "after removeObjects of a key that was read, cachedExpiry answers",
      Subject("has at hand the expiry of what a batch has removed") {
        Remembering(base: Reference(at: $0), shows: .cachedExpiry)
      }),
  ]
}

/// A correct store, except that it returns entries that it read before the last batch.
private struct Remembering: TellingStorage {
  enum Answer { case peek, entry, expiry, cachedExpiry }

  let base: Reference
  let shows: Answer
  private let seen = Shared<[String: Entry<Data>]>([:])

  init(base: Reference, shows: Answer) {
    self.base = base
    self.shows = shows
  }

  /// The expired entries of other checks would be reported for another reason.
  private func old(_ key: String) -> Entry<Data>? {
    seen.value[key].flatMap { $0.expiry.isExpired(by: clock) ? nil : $0 }
  }

  var clock: StorageClock { base.clock }
  func peek(forKey key: String) -> Entry<Data>? { shows == .peek ? old(key) : nil }
  func cachedEntry(forKey key: String) -> CacheLookup<Entry<Data>> {
    if shows == .entry, let entry = old(key) { return .found(entry) }
    return base.cachedEntry(forKey: key)
  }
  func cachedExpiry(forKey key: String) -> CacheLookup<Expiry> {
    if shows == .cachedExpiry, let entry = old(key) { return .found(entry.expiry) }
    return base.cachedExpiry(forKey: key)
  }
  func expiryIfPresent(forKey key: String) throws -> Expiry? {
    if shows == .expiry, let entry = old(key) { return entry.expiry }
    return try base.expiryIfPresent(forKey: key)
  }
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? {
    let entry = try base.entryIfPresent(forKey: key)
    seen.change { $0[key] = entry }
    return entry
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    seen.change { $0[key] = nil }
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws {
    seen.change { $0[key] = nil }
    try base.removeObject(forKey: key)
  }
  func removeAll() throws {
    seen.change { $0 = [:] }
    try base.removeAll()
  }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) throws {
    try base.setObjects(objects, expiry: expiry)
  }
  func removeObjects(forKeys keys: [String]) throws { try base.removeObjects(forKeys: keys) }
  func entries(forKeys keys: [String]) throws -> [String: Entry<Data>] { try base.entries(forKeys: keys) }
}
