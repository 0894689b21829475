#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
package import StrataCore

/// A store whose large values are in parts, as entries of a second store.
///
/// | store | key                   | value                                                                |
/// |-------|-----------------------|----------------------------------------------------------------------|
/// | base  | the key               | the value, or the description of one in parts, see `StoredValue`     |
/// | parts | identity, `-`, number | a part, see `DividedValue`                                           |
/// | parts | identity              | the owner of the parts, see `PartOwner`                              |
///
/// No two entries change in one step, so their order keeps the parts: the owner is stored before them, and removed
/// after them. An entry with parts therefore has all of them, unless its writer had stopped for an hour; and parts
/// without an entry have an owner, by which a sweep finds them.
package struct PartedStorage<Base: StorageAware, Parts: StorageAware>: StorageLink
where Base.Key: StorageKey, Base.Value == Data, Parts.Key == String, Parts.Value == Data {
  package typealias Key = Base.Key
  package typealias Value = Data

  package let base: Base
  let parts: Parts
  let sweeps = WriterSweeps()

  init(_ base: Base, parts: Parts) {
    (self.base, self.parts) = (base, parts)
  }

  package var storageName: String { "inParts" }
  package var wrappedStorages: [any StorageDesign] { [parts, base] }
  package var mayBlock: Bool { base.mayBlock || parts.mayBlock }
  package var traits: StoreTraits {
    var traits = StoreTraits(ownExpiry: base.traits.ownExpiry)
    traits.keepsParts = true
    return traits
  }
  package var leases: (any StorageLeasing<Key>)? { base.leases }

  /// Returns the cached entry, if its value is whole.
  package func peek(forKey key: Key) -> Entry<Data>? {
    guard let entry = base.peek(forKey: key) else { return nil }
    do {
      guard case .whole(let data) = try stored(entry.object, key) else { return nil }
      return entry.map { _ in data }
    } catch {
      // The read that follows throws.
      return nil
    }
  }

  func stored(_ data: Data, _ key: Key) throws -> StoredValue {
    do { return try StoredValue(data) } catch let error as StorageError { throw error.with(key: key) }
  }
}

extension PartedStorage: ConditionalStorage where Base: ConditionalStorage {}

extension PartedStorage: SyncConditionalStorage
where Base: SyncConditionalStorage, Parts: SyncStorageAware {}

/// The sweeps that writers make: the first one, and then one an hour. All copies of a store share them.
final class WriterSweeps: Sendable {
  private let last = Locked(Date.distantPast)

  func isDue(_ now: Date) -> Bool {
    last.withLock { last in
      if now.timeIntervalSince(last) < stagingLease { return false }
      last = now
      return true
    }
  }
}
