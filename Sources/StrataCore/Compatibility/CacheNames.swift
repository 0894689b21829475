// The names of Cache by hyperoslo, for programs that migrate from it. Each refers to its name in Strata.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StorageAware {
  /// Returns whether the key has a value that has not expired.
  @available(*, deprecated, renamed: "objectExists(forKey:)")
  public func existsObject(forKey key: Key) async throws -> Bool { try await objectExists(forKey: key) }

  /// Removes the expired entries of all keys.
  @available(
    *, deprecated,
    message: "expired values are never returned; `removeExpiredObjects()` removes them for all keys",
    renamed: "removeExpiredObjects()"
  )
  public func removeObjectIfExpired(forKey key: Key) async throws { try await removeExpiredObjects() }
}

extension SyncStorageAware {
  /// Returns whether the key has a value that has not expired.
  @available(*, deprecated, renamed: "objectExists(forKey:)")
  public func existsObject(forKey key: Key) throws -> Bool { try objectExists(forKey: key) }

  /// Removes the expired entries of all keys.
  @available(
    *, deprecated,
    message: "expired values are never returned; `removeExpiredObjects()` removes them for all keys",
    renamed: "removeExpiredObjects()"
  )
  public func removeObjectIfExpired(forKey key: Key) throws { try removeExpiredObjects() }
}

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> some StorageAware<Key, U> {
    transform(to: transformer)
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> some SyncStorageAware<Key, U> {
    transform(to: transformer)
  }
}

extension TypeWrapperStorage {
  /// Returns a view of the same store as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U>(transformer: Transformer<U>) -> TypeWrapperStorage<Inner, U> {
    transform(to: transformer)
  }
}

extension HybridStorage {
  /// Creates a store of two tiers.
  @available(*, deprecated, renamed: "init(front:back:)")
  public init(memoryStorage: Front, diskStorage: Back) { self.init(front: memoryStorage, back: diskStorage) }

  /// The tier that is read first.
  @available(*, deprecated, renamed: "front")
  public var memoryStorage: Front { front }

  /// The authoritative tier.
  @available(*, deprecated, renamed: "back")
  public var diskStorage: Back { back }
}

extension Date {
  /// Whether the date has been reached.
  @available(
    *, deprecated, message: "use `Expiry.isExpired`, or compare the date with `Date()`",
    renamed: "Expiry.isExpired"
  )
  public var inThePast: Bool { Expiry.date(self).isExpired }
}
