#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  /// Calls the author's closure to damage one of the store's entries while the store is closed.
  func damage() async throws {
    guard let damage = subject.damage else { throw NotPromised() }
    try await fill()
    try await damage(place(), "damaged")
    let store = try await open()
    for reading in Self.readings {
      try await expectFailure(of: reading.name) { try await reading.read(store) }
    }
    if let sync = store as? any SyncStorageAware<String, Data> {
      if case .absent = sync.cachedEntry(forKey: "damaged") {
        throw broken("cachedEntry says that a damaged entry is absent")
      }
      if case .absent = sync.cachedExpiry(forKey: "damaged") {
        throw broken("cachedExpiry says that a damaged entry is absent")
      }
    }
    try await expect(text("whole"), at: "whole", in: store, "beside a damaged entry")
    try await store.setObject(text("new"), forKey: "damaged", expiry: nil)
    try await expect(text("new"), at: "damaged", in: store, "written in place of a damaged entry")
  }

  private func fill() async throws {
    let store = try await open()
    for key in ["damaged", "whole"] { try await store.setObject(text(key), forKey: key, expiry: nil) }
  }

  /// The ways to read a value. `objectExists` may also return `true`, since the expiry may be undamaged.
  private static let readings: [(name: String, read: @Sendable (Store) async throws -> Data?)] = [
    ("entryIfPresent", { try await $0.entryIfPresent(forKey: "damaged")?.object }),
    ("objectIfPresent", { try await $0.objectIfPresent(forKey: "damaged") }),
    ("object", { try await $0.object(forKey: "damaged") }),
    ("entries(forKeys:)", { try await $0.entries(forKeys: ["whole", "damaged"])["damaged"]?.object }),
    ("objectExists", { if try await $0.objectExists(forKey: "damaged") { throw Exists() } else { nil } }),
  ]

  private func expectFailure(of name: String, _ read: () async throws -> Data?) async throws {
    let found: Data?
    do { found = try await read() } catch StorageError.notFound { found = nil } catch { return }
    throw broken(
      found == nil
        ? "\(name) says that a damaged entry is absent" : "\(name) gives \(shown(found)) for a damaged entry")
  }

  /// Thrown by a reading that does not return a value.
  private struct Exists: Error {}
}
