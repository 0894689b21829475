import Foundation
import StrataCore
import StrataTestKit

extension Fault {
  static let ofAnnouncing = [
    announcer("announces nothing", "memory in front of it still gives") { _, _, write in try await write() },
    announcer("announces to its own front alone", "made a change through another store") {
      store, keys, write in
      try await write()
      store.invalidationSource?.changed(keys)
    },
    announcer("announces no removals", "after removeObject changed the store itself") {
      store, keys, write in
      try await write()
      if try await !store.entries(forKeys: keys).isEmpty { store.tellAll(keys) }
    },
    announcer("announces each change when the next one comes", "memory in front of it still gives") {
      store, keys, write in
      try await write()
      store.tellAll(
        store.late.change { late in
          defer { late = keys }
          return late
        })
    },
    announcer("announces a change before it makes it", "after setObject, during a read,") {
      store, keys, write in
      store.tellAll(keys)
      // Until a reader, if there is one, has read the old value.
      let before = store.reads.value
      for _ in 0..<1_000 where store.reads.value == before { await Task.yield() }
      try await write()
    },
    announcer("announces its own writes twice", "20 writes of one key are announced 40 times") {
      store, keys, write in
      try await write()
      store.tellAll(keys)
      store.invalidationSource?.changed(keys)
    },
  ]

  /// A store that announces its changes, except for a fault.
  private static func announcer(
    _ name: String, _ reason: String, _ announce: @escaping Announcing.Announce
  ) -> Fault {
    Fault(.announcing, reason, Subject(name) { Announcing(at: $0, announce) })
  }
}

/// A correct store that announces each change to all stores at its place, unless a fault replaces that.
final class Announcing: SimpleStorage {
  typealias Announce = @Sendable (Announcing, [String], () async throws -> Void) async throws -> Void

  private static let places = Locked<[String: [InvalidationSource<String>]]>([:])

  private let base: Reference
  private let place: String
  private let announce: Announce
  let invalidationSource: InvalidationSource<String>? = InvalidationSource()
  /// The keys of the last change.
  let late = Shared<[String]>([])
  /// The number of reads that have looked up their entry.
  let reads = Shared(0)

  init(
    at place: Place,
    _ announce: @escaping Announce = { store, keys, write in
      try await write()
      store.tellAll(keys)
    }
  ) {
    base = Reference(at: place)
    self.place = place.path
    self.announce = announce
    if let source = invalidationSource { Self.places.withLock { $0[place.path, default: []].append(source) } }
  }

  func tellAll(_ keys: [String]) {
    for source in Self.places.withLock({ $0[place] ?? [] }) { source.changed(keys) }
  }

  var clock: StorageClock { base.clock }
  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    let entry = try await base.entryIfPresent(forKey: key)
    reads.change { $0 += 1 }
    await Task.yield()
    return entry
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    try await announce(self, [key]) { try base.setObject(object, forKey: key, expiry: expiry) }
  }
  func removeObject(forKey key: String) async throws {
    try await announce(self, [key]) { try base.removeObject(forKey: key) }
  }
  func removeAll() async throws { try await announce(self, base.keys()) { try base.removeAll() } }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [String] { try await base.keys() }
}
