#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
public import StrataLoading

/// Views of other types, and observers, of a loading store over a `Storage` or an `AsyncStorage`.
extension LoadingStorage {
  /// Returns a view of this store as another type. Both share the stored values, the loads, the tags and all removals.
  ///
  /// ```swift
  /// let names = users.transform(to: [String: String].self)
  /// ```
  ///
  /// A missing value is loaded by this store and stored as this store's type. Each read of the view encodes the value
  /// and decodes it as the other type. A value that cannot be read as the other type throws `.typeNotMatch` and stays
  /// as it is; so does a write of a value that cannot be read as this store's type. Over any inner store but `Storage`,
  /// `AsyncStorage` and a store of bytes, reads and writes of values throw `.invalidConfiguration`.
  public func transform<U: Sendable>(to transformer: Transformer<U>) -> some StorageAware<Key, U> {
    view { $0.isConfidential ? transformer.confidential() : transformer }
  }

  /// Returns a view of this store as another type, in the format of this store (JSON if it has none), with the same
  /// compression and encryption.
  public func transform<U: Codable & Sendable>(to type: U.Type) -> some StorageAware<Key, U> {
    view { $0.retyped(as: type) }
  }

  /// Returns a view of this store as the bytes of its values, without the header of the inner store.
  public func transformData() -> some StorageAware<Key, Data> { transform(to: .data) }

  /// Returns a view of this store as another type, in the format of this store (JSON if it has none), with the same
  /// compression and encryption.
  public func transformCodable<U: Codable & Sendable>(ofType type: U.Type) -> some StorageAware<Key, U> {
    transform(to: type)
  }

  private func view<U: Sendable>(
    _ other: (Transformer<Cached<Value>>) -> Transformer<U>
  ) -> some StorageAware<Key, U> {
    let own = inner?.transformer ?? (Transformer.data as? Transformer<Value>)?.cached()
    let wrapped = own.map { other($0).cached() }
    @Sendable func convert<A: Sendable, B: Sendable>(
      _ value: A, _ from: Transformer<Cached<A>>?, _ to: Transformer<Cached<B>>?
    ) throws -> B {
      guard let from, let to else {
        throw Self.unsupported(
          "views of other types", or: ", or over a store of bytes; over any other store call `mapValues`")
      }
      do {
        guard let value = try to.fromData(from.toData(Cached(value))).value else {
          throw StorageError.decodingFailed
        }
        return value
      } catch let error as EncryptorError { throw error } catch {
        throw StorageError.typeNotMatch.with("a loaded \(A.self) cannot be read as \(B.self)", cause: error)
      }
    }
    return mapValues(
      to: U.self, mapTo: { try convert($0, own, wrapped) }, mapFrom: { try convert($0, wrapped, own) })
  }

  /// Calls a closure after every change to the inner store, also by loads and refreshes, and through any view.
  ///
  /// The calls are made, and end, as described at `Storage.addStorageObserver`; they end with this loading store, too.
  /// `remove(tagged:)` and `expireAll()` are reported as `.removeExpired`, since they do not search for the keys.
  /// Throws `.invalidConfiguration` if the inner store is neither a `Storage` nor an `AsyncStorage`.
  @discardableResult
  public func addStorageObserver<O: AnyObject & Sendable>(
    _ observer: O, closure: @escaping @Sendable (O, LoadingStorage, StorageChange<Key>) -> Void
  ) throws -> ObservationToken {
    try observers().addStorageObserver(isThere: { [weak observer] in observer != nil }) {
      [weak observer, weak self] change in
      guard let observer, let self else { return false }
      closure(observer, self, change)
      return true
    }
  }

  /// Calls a closure after every change to one key, with the value before and after. A remembered absence is reported
  /// as `.remove`. The other rules are those of `addStorageObserver`.
  @discardableResult
  public func addObserver<O: AnyObject & Sendable>(
    _ observer: O, forKey key: Key, closure: @escaping @Sendable (O, LoadingStorage, KeyChange<Value>) -> Void
  ) throws -> ObservationToken {
    let (observers, transformer) = (try observers(), inner?.transformer)
    return observers.addObserver(forKey: key, isThere: { [weak observer] in observer != nil }) {
      [weak observer, weak self] event in
      guard let observer, let self, let transformer else { return false }
      closure(observer, self, KeyChange(KeyChange<Cached<Value>>(event, as: transformer)))
      return true
    }
  }

  /// Ends all observations of the inner store.
  public func removeAllStorageObservers() { inner?.observers.removeStorageObservers() }

  /// Ends all observations of one key.
  public func removeObserver(forKey key: Key) { inner?.observers.removeObservers(forKey: key) }

  /// Ends all observations of keys.
  public func removeAllKeyObservers() { inner?.observers.removeKeyObservers() }

  private var inner: (transformer: Transformer<Cached<Value>>, observers: ObserverList<Key>)? {
    switch wrappedStorages.first {
    case let storage as Storage<Key, Cached<Value>>:
      (storage.transformer, storage.chain.coordinator.observers)
    case let storage as AsyncStorage<Key, Cached<Value>>:
      (storage.transformer, storage.chain.coordinator.observers)
    default: nil
    }
  }

  private func observers() throws -> ObserverList<Key> {
    guard let inner else { throw Self.unsupported("observers") }
    return inner.observers
  }

  private static func unsupported(_ what: String, or others: String = "") -> StorageError {
    .invalidConfiguration.with(
      "a loading store has \(what) only over a `Storage` or an `AsyncStorage`\(others)")
  }
}

extension KeyChange where Value: Sendable {
  /// Returns a change of a loading store's entry as a change of its value.
  fileprivate init(_ change: KeyChange<Cached<Value>>) {
    guard case .edit(let before, let after) = change, let value = after.value else {
      self = .remove
      return
    }
    self = .edit(before: before?.value, after: value)
  }
}
