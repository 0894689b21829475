#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension Storage {
  /// The same store seen as another type: one memory, one disk, one order, the same observers.
  ///
  /// A value that cannot be read as the other type throws `.typeNotMatch` and stays as it is.
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> Storage<Key, U> {
    Storage<Key, U>(chain: chain, transformer: transformer)
  }

  /// The same store seen as another type, in the format of this view (JSON where it has none), compressed and encrypted
  /// as here.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> Storage<Key, U> {
    transform(to: transformer.retyped(as: type))
  }

  /// The same store seen as the bytes it keeps.
  public func transformData() -> Storage<Key, Data> { transform(to: .data) }

  /// The same store seen as another type, in the format of this view (JSON where it has none), compressed and encrypted
  /// as here.
  public func transformCodable<U: Codable & Sendable>(ofType type: U.Type) -> Storage<Key, U> {
    transform(to: type)
  }
}

extension AsyncStorage {
  /// The same store seen as another type: one memory, one disk, one order, the same observers.
  ///
  /// A value that cannot be read as the other type throws `.typeNotMatch` and stays as it is.
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> AsyncStorage<Key, U> {
    AsyncStorage<Key, U>(chain: chain, transformer: transformer)
  }

  /// The same store seen as another type, in the format of this view (JSON where it has none), compressed and encrypted
  /// as here.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> AsyncStorage<Key, U> {
    transform(to: transformer.retyped(as: type))
  }

  /// The same store seen as the bytes it keeps.
  public func transformData() -> AsyncStorage<Key, Data> { transform(to: .data) }

  /// The same store seen as another type, in the format of this view (JSON where it has none), compressed and encrypted
  /// as here.
  public func transformCodable<U: Codable & Sendable>(ofType type: U.Type) -> AsyncStorage<Key, U> {
    transform(to: type)
  }
}
