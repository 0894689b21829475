#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension Storage {
  /// Returns a view of this store as another type. Both share the memory, the disk, the order and the observers.
  ///
  /// ```swift
  /// let names = users.transform(to: .string())
  /// ```
  ///
  /// A value that cannot be read as the other type throws `.typeNotMatch` and stays as it is.
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> Storage<Key, U> {
    Storage<Key, U>(chain: chain, transformer: transformer)
  }

  /// Returns a view of this store as another type, in the format of this view (JSON if it has none), with the same
  /// compression and encryption.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> Storage<Key, U> {
    transform(to: transformer.retyped(as: type))
  }

  /// Returns a view of this store as the bytes that it stores.
  public func transformData() -> Storage<Key, Data> { transform(to: .data) }

  /// Returns a view of this store as another type, in the format of this view (JSON if it has none), with the same
  /// compression and encryption.
  public func transformCodable<U: Codable & Sendable>(ofType type: U.Type) -> Storage<Key, U> {
    transform(to: type)
  }
}

extension AsyncStorage {
  /// Returns a view of this store as another type. Both share the memory, the disk, the order and the observers.
  ///
  /// A value that cannot be read as the other type throws `.typeNotMatch` and stays as it is.
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> AsyncStorage<Key, U> {
    AsyncStorage<Key, U>(chain: chain, transformer: transformer)
  }

  /// Returns a view of this store as another type, in the format of this view (JSON if it has none), with the same
  /// compression and encryption.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> AsyncStorage<Key, U> {
    transform(to: transformer.retyped(as: type))
  }

  /// Returns a view of this store as the bytes that it stores.
  public func transformData() -> AsyncStorage<Key, Data> { transform(to: .data) }

  /// Returns a view of this store as another type, in the format of this view (JSON if it has none), with the same
  /// compression and encryption.
  public func transformCodable<U: Codable & Sendable>(ofType type: U.Type) -> AsyncStorage<Key, U> {
    transform(to: type)
  }
}
