#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension StorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  ///
  /// The view has `update` and `setIfAbsent` if this store has them. They are as atomic as this store's: for all
  /// writers, also in other processes.
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> TypeWrapperStorage<ByteTier<Self>, U>
  {
    TypeWrapperStorage(ByteTier(self), transformer: transformer)
  }

  /// Returns a view of this byte store as another type, in JSON.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> TypeWrapperStorage<ByteTier<Self>, U> {
    transform(to: .codable(type))
  }
}

extension SyncStorageAware where Value == Data {
  /// Returns a view of this byte store as another type.
  ///
  /// The view has `update` and `setIfAbsent` if this store has them. They are as atomic as this store's: for all
  /// writers, also in other processes.
  @inlinable
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> TypeWrapperStorage<ByteTier<Self>, U>
  {
    TypeWrapperStorage(ByteTier(self), transformer: transformer, bytes: DirectBytes(self))
  }

  /// Returns a view of this byte store as another type, in JSON.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> TypeWrapperStorage<ByteTier<Self>, U> {
    transform(to: .codable(type))
  }
}
