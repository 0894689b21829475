#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Stores batches in a byte store, as bytes: without making a `TypeWrapper` of each value, which no tier would keep.
///
/// A chain that consists of a byte store has one, made with the chain.
@usableFromInline
package final class DirectBytes<Key: Hashable & Sendable>: Sendable {
  /// Stores many values, as the byte store's `setObjects` does.
  @usableFromInline let store: @Sendable ([Key: Data], Expiry?) throws -> Void
  /// Stores many values, each with its own expiry, as the byte store's `setEntries` does.
  @usableFromInline let storeEntries: @Sendable ([Key: Entry<Data>]) throws -> Void
  /// The observers of the chain, if it records its changes. They get wrappers.
  private let observers: ObserverList<Key>?

  @usableFromInline
  init(
    store: @escaping @Sendable ([Key: Data], Expiry?) throws -> Void,
    storeEntries: @escaping @Sendable ([Key: Entry<Data>]) throws -> Void, observers: ObserverList<Key>?
  ) {
    self.store = store
    self.storeEntries = storeEntries
    self.observers = observers
  }

  /// Returns `nil` for a store that takes wrappers, to transform the bytes of one value at a time.
  ///
  /// Inlined, so that the functions are compiled for the type of the store.
  @inlinable
  package convenience init?<Base: SyncStorageAware>(_ base: Base) where Base.Key == Key, Base.Value == Data {
    if takesWrappers(Base.self) { return nil }
    self.init(
      store: { try base.setObjects($0, expiry: $1) }, storeEntries: { try base.setEntries($0) },
      observers: nil)
  }

  /// Returns one for a chain over the same store that records its changes.
  func observed(by observers: ObserverList<Key>) -> DirectBytes {
    DirectBytes(store: store, storeEntries: storeEntries, observers: observers)
  }

  /// Whether no observer needs the wrappers of a batch.
  @usableFromInline var isUsable: Bool { observers?.isEmpty ?? true }
}

extension TypeWrapperStorage {
  /// Stores many values as bytes. Returns `false`, and stores nothing, if the chain needs wrappers.
  @inlinable
  func setBytes(of objects: [Key: Value], expiry: Expiry?) throws -> Bool {
    guard let bytes, bytes.isUsable else { return false }
    let encode = transformer.toData
    try bytes.store(objects.mapValues { try encode($0) }, expiry)
    return true
  }

  /// Stores many values as bytes, each with its own expiry. Returns `false`, and stores nothing, if the chain needs
  /// wrappers.
  @inlinable
  func setBytes(of entries: [Key: Entry<Value>]) throws -> Bool {
    guard let bytes, bytes.isUsable else { return false }
    let encode = transformer.toData
    try bytes.storeEntries(entries.mapValues { try $0.map { try encode($0) } })
    return true
  }
}
