import Foundation
import StrataCore

/// A store of any type.
struct AnyStore: StorageAware {
  let base: any StorageAware<String, Data>

  var clock: StorageClock { base.clock }
  var traits: StoreTraits { base.traits }

  func read(_ key: String, _ how: How) async throws -> Entry<Data>? { try await base.read(key, how) }
  func change(_ key: String, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    try await base.change(key, change, how)
  }
  func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<String> {
    try await base.list(after: cursor, limit: limit)
  }
  func clear(_ extent: StoreExtent) async throws { try await base.clear(extent) }
  func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await base.stream(key, range, how)
  }
  func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await base.stage(key, expiry, how)
  }
}
