#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> some StorageAware<Key, U> {
    TypeWrapperStorage(ByteTier(self), transformer: transformer)
  }

  /// Returns a view of this byte store as another type, in JSON.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> some StorageAware<Key, U> {
    transform(to: .codable(type))
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  @inlinable
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> some SyncStorageAware<Key, U> {
    TypeWrapperStorage(ByteTier(self), transformer: transformer, bytes: DirectBytes(self))
  }

  /// Returns a view of this byte store as another type, in JSON.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> some SyncStorageAware<Key, U> {
    transform(to: .codable(type))
  }
}
