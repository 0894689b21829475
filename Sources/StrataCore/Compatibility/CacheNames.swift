// Names of Cache by hyperoslo, for programs that come from there. Each says what it is called here.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StorageAware {
  /// Whether there is a value that has not expired.
  @available(*, deprecated, renamed: "objectExists(forKey:)")
  public func existsObject(forKey key: Key) async throws -> Bool { try await objectExists(forKey: key) }

  /// Removes what has expired, under every key.
  @available(
    *, deprecated,
    message: "an expired value is never read; `removeExpiredObjects()` makes room, for all keys",
    renamed: "removeExpiredObjects()"
  )
  public func removeObjectIfExpired(forKey key: Key) async throws { try await removeExpiredObjects() }
}

extension SyncStorageAware {
  /// Whether there is a value that has not expired.
  @available(*, deprecated, renamed: "objectExists(forKey:)")
  public func existsObject(forKey key: Key) throws -> Bool { try objectExists(forKey: key) }

  /// Removes what has expired, under every key.
  @available(
    *, deprecated,
    message: "an expired value is never read; `removeExpiredObjects()` makes room, for all keys",
    renamed: "removeExpiredObjects()"
  )
  public func removeObjectIfExpired(forKey key: Key) throws { try removeExpiredObjects() }
}

extension StorageAware where Value == Data {
  /// These bytes seen as a type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> some StorageAware<Key, U> {
    transform(to: transformer)
  }
}

extension SyncStorageAware where Value == Data {
  /// These bytes seen as a type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U: Sendable>(transformer: Transformer<U>) -> some SyncStorageAware<Key, U> {
    transform(to: transformer)
  }
}

extension TypeWrapperStorage {
  /// The same store seen as another type.
  @available(*, deprecated, renamed: "transform(to:)")
  public func transform<U>(transformer: Transformer<U>) -> TypeWrapperStorage<Inner, U> {
    transform(to: transformer)
  }
}

extension HybridStorage {
  /// Puts one tier in front of another.
  @available(*, deprecated, renamed: "init(front:back:)")
  public init(memoryStorage: Front, diskStorage: Back) { self.init(front: memoryStorage, back: diskStorage) }

  /// The tier that is asked first.
  @available(*, deprecated, renamed: "front")
  public var memoryStorage: Front { front }

  /// The tier that decides what is stored.
  @available(*, deprecated, renamed: "back")
  public var diskStorage: Back { back }
}

extension Date {
  /// Whether the date has come.
  @available(
    *, deprecated, message: "ask `Expiry.isExpired`, or compare the date with `Date()`",
    renamed: "Expiry.isExpired"
  )
  public var inThePast: Bool { Expiry.date(self).isExpired }
}
