import Foundation
import StrataCore
import StrataTestKit

/// A store that keeps every contract that applies within one process. Faulty stores are made from it, so that they are
/// rejected only for their faults.
final class Reference: SyncSimpleConditionalStorage, SyncUpdateableStorage {
  private static let places = Locked<[String: Shared<[String: Entry<Data>]>]>([:])
  /// Empties the places at the end of the process. LeakSanitizer does not follow the reference in a `Data`, and would
  /// report the places' contents as leaked.
  private static let emptying: Void = { atexit { Reference.places.withLock { $0 = [:] } } }()

  /// How often the stores at each place have listed all keys.
  static let listings = Locked<[String: Int]>([:])

  private let place: String
  private let entries: Shared<[String: Entry<Data>]>
  private let expiry: Expiry
  let clock: StorageClock
  let mayBlock = false

  /// Creates a store. Stores at the same place share their entries for as long as the process runs.
  init(at place: Place, _ name: String = "main") {
    _ = Self.emptying
    self.place = place.path
    entries = Self.places.withLock { places in
      let entries = places["\(place.path)/\(name)"] ?? Shared([:])
      places["\(place.path)/\(name)"] = entries
      return entries
    }
    expiry = place.expiry
    clock = place.clock
  }

  private func entry(of object: Data, _ expiry: Expiry?) -> Entry<Data> {
    Entry(object: object, expiry: (expiry ?? self.expiry).resolved(by: clock))
  }

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { entries.value[key] }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    let entry = entry(of: object, expiry)
    entries.change { $0[key] = entry }
  }
  func removeObject(forKey key: String) throws { entries.change { $0[key] = nil } }
  func update(forKey key: String, _ modify: (inout Data) throws -> Void) throws -> Data {
    // No lock is held while the closure runs: it may use other keys.
    while true {
      let seen = entries.value[key]
      guard let seen, !seen.expiry.isExpired(by: clock) else { throw StorageError.notFound }
      var value = seen.object
      try modify(&value)
      let new = Entry(object: value, expiry: seen.expiry)
      let isDone = entries.change { entries in
        if entries[key] != seen { return false }
        entries[key] = new
        return true
      }
      if isDone { return value }
    }
  }
  func setIfAbsent(_ object: Data, forKey key: String, expiry: Expiry?) throws -> Bool {
    let new = entry(of: object, expiry)
    return entries.change { [clock] entries in
      if let entry = entries[key], !entry.expiry.isExpired(by: clock) { return false }
      entries[key] = new
      return true
    }
  }
  func touch(forKey key: String, expiry: Expiry) throws -> Bool {
    entries.change { [clock] entries in
      guard let entry = entries[key], !entry.expiry.isExpired(by: clock) else { return false }
      entries[key] = Entry(object: entry.object, expiry: expiry.resolved(by: clock))
      return true
    }
  }
  func removeAll() throws { entries.change { $0 = [:] } }
  func removeExpiredObjects() throws {
    entries.change { [clock] in $0 = $0.filter { !$0.value.expiry.isExpired(by: clock) } }
  }
  func keys() throws -> [String] {
    Self.listings.withLock { $0[place, default: 0] += 1 }
    return sorted()
  }
  func keyPage(after cursor: KeyCursor?, limit: Int) throws -> KeyPage<String> {
    try KeyPage(cursor?.position() ?? sorted()[...], limit: limit)
  }
  private func sorted() -> [String] {
    entries.value.filter { !$0.value.expiry.isExpired(by: clock) }.map(\.key).sorted()
  }
  func setObjects(_ objects: [String: Data], expiry: Expiry?) throws {
    let new = objects.mapValues { entry(of: $0, expiry) }
    entries.change { $0.merge(new) { $1 } }
  }
  func setEntries(_ new: [String: Entry<Data>]) throws {
    let new = new.mapValues { entry(of: $0.object, $0.expiry) }
    entries.change { $0.merge(new) { $1 } }
  }
  func removeObjects(forKeys keys: [String]) throws {
    entries.change { entries in for key in keys { entries[key] = nil } }
  }
}
