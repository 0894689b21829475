#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The way of batches to a byte store that keeps no objects: as bytes, without a wrapper for each value.
///
/// Found once, when the chain is made. Making and releasing a wrapper takes a tenth of the time of storing a small
/// value.
@usableFromInline
package final class DirectBytes<Key: Hashable & Sendable>: Sendable {
  /// Stores many values, as the byte store's `setObjects` does.
  @usableFromInline let store: @Sendable ([Key: Data], Expiry?) throws -> Void
  /// Stores many values, each with its own expiry, as the byte store's `setEntries` does.
  @usableFromInline let storeEntries: @Sendable ([Key: Entry<Data>]) throws -> Void
  /// The observers of the chain, who get wrappers.
  private let observers: ObserverList<Key>?

  private init(
    store: @escaping @Sendable ([Key: Data], Expiry?) throws -> Void,
    storeEntries: @escaping @Sendable ([Key: Entry<Data>]) throws -> Void, observers: ObserverList<Key>?
  ) {
    self.store = store
    self.storeEntries = storeEntries
    self.observers = observers
  }

  /// Returns `nil` for a store that takes the values of a batch one at a time.
  @usableFromInline
  package convenience init?<Base: SyncStorageAware>(_ base: Base) where Base.Key == Key, Base.Value == Data {
    if Base.self is any WrapperTaking.Type { return nil }
    self.init(
      store: { try base.setObjects($0, expiry: $1) }, storeEntries: { try base.setEntries($0) }, observers: nil)
  }

  /// Returns the same way for a chain that records its changes for observers.
  func observed(by observers: ObserverList<Key>) -> DirectBytes {
    DirectBytes(store: store, storeEntries: storeEntries, observers: observers)
  }

  /// Whether nobody needs the wrappers of a batch.
  @usableFromInline var isOpen: Bool { observers?.isEmpty ?? true }
}

extension TypeWrapperStorage {
  /// Stores many values as bytes. Returns `false`, and stores nothing, if the chain needs wrappers.
  @inlinable
  func setBytes(of objects: [Key: Value], expiry: Expiry?) throws -> Bool {
    guard let bytes, bytes.isOpen else { return false }
    let encode = transformer.toData
    try bytes.store(objects.mapValues { try encode($0) }, expiry)
    return true
  }

  /// Stores many values as bytes, each with its own expiry. Returns `false`, and stores nothing, if the chain needs
  /// wrappers.
  @inlinable
  func setBytes(of entries: [Key: Entry<Value>]) throws -> Bool {
    guard let bytes, bytes.isOpen else { return false }
    let encode = transformer.toData
    try bytes.storeEntries(entries.mapValues { try $0.map { try encode($0) } })
    return true
  }
}
