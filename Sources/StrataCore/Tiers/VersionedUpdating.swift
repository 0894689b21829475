#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The version of an entry. No other entry of the store, under this key or another one, ever has the same.
package struct EntryVersion: Equatable, Sendable {
  package let bits: [UInt64]

  package init(bits: [UInt64]) { self.bits = bits }
}

/// A byte store whose updates tell the versions of entries.
package protocol VersionedUpdating<Key>: SyncStorageAware where Value == Data {
  /// Updates a value, and passes its version to the closure. Returns the version of the stored entry, or `nil` if it is
  /// unknown.
  func updateVersioned(
    forKey key: Key, _ modify: (inout Data, EntryVersion) throws -> Void
  ) throws -> EntryVersion?
}

/// A `VersionedUpdating` store as the base of a `ByteTier`, with the entries that the last updates have stored.
///
/// As long as an entry has the version that an update has given to it, nobody else has written it. The wrapper that the
/// update has stored then still holds its value, which need not be decoded.
@usableFromInline
final class VersionedBase<Key: Hashable & Sendable>: Sendable {
  /// The last entry that an update has stored under a key, or under another key with the same hash.
  private struct Stored: Sendable {
    let version: EntryVersion
    /// The identity of the wrapper. An entry with the version has no other value, so the wrapper need not be retained:
    /// another wrapper with its address was stored or read in front since, and holds the same value.
    let wrapper: ObjectIdentifier
  }

  private let base: any VersionedUpdating<Key>
  /// The stored entries, by the hash of their keys. If there are too many, all are forgotten.
  private let last = Locked<[Int: Stored]>([:])
  private static var limit: Int { 4096 }

  /// Returns `nil` for a store without versions.
  init?<Base: StorageAware>(_ base: Base) where Base.Key == Key {
    guard let base = base as? any VersionedUpdating<Key> else { return nil }
    self.base = base
  }

  @usableFromInline
  func update(forKey key: Key, _ modify: (inout TypeWrapper) throws -> Void) throws -> TypeWrapper? {
    let hash = key.hashValue
    let last = last.withLock { $0[hash] }
    var changed: TypeWrapper?
    let version = try base.updateVersioned(forKey: key) { bytes, version in
      let known = last?.version == version ? last?.wrapper : nil
      var wrapper: TypeWrapper = BackTypeWrapper(bytes, sameAs: known)
      try modify(&wrapper)
      bytes = try wrapper.data(forKey: key)
      changed = wrapper
    }
    let stored = changed.flatMap { wrapper in
      version.map { Stored(version: $0, wrapper: ObjectIdentifier(wrapper)) }
    }
    self.last.withLock { last in
      if last.count >= Self.limit, last[hash] == nil { last.removeAll(keepingCapacity: true) }
      last[hash] = stored
    }
    return changed
  }
}
