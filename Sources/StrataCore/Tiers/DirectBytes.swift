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
  @usableFromInline let store: @Sendable (StoreBatch<Key, Data>) throws -> Void
  /// The observers of the chain, if it records its changes. They get wrappers.
  private let observers: ObserverList<Key>?

  @usableFromInline
  init(
    store: @escaping @Sendable (StoreBatch<Key, Data>) throws -> Void, observers: ObserverList<Key>?
  ) {
    self.store = store
    self.observers = observers
  }

  /// Returns `nil` for a store that takes wrappers, to transform the bytes of one value at a time.
  ///
  /// Inlined, so that the function is compiled for the type of the store.
  @inlinable
  package convenience init?<Base: SyncStorageAware>(_ base: Base) where Base.Key == Key, Base.Value == Data {
    if takesWrappers(Base.self) { return nil }
    let base = ReportedTier(base)
    self.init(store: { try base.change($0, []) }, observers: nil)
  }

  /// Returns one for a chain over the same store that records its changes.
  func observed(by observers: ObserverList<Key>) -> DirectBytes {
    DirectBytes(store: store, observers: observers)
  }

  /// Whether no observer needs the wrappers of a batch.
  @usableFromInline var isUsable: Bool { observers?.isEmpty ?? true }
}

extension TypeWrapperStorage {
  /// Stores the bytes of a batch, unless the chain needs wrappers. Returns whether it has.
  @inlinable
  func setBytes(of batch: StoreBatch<Key, Value>) throws -> Bool {
    guard let bytes, bytes.isUsable else { return false }
    let encode = transformer.toData
    try bytes.store(batch.map { try encode($1) })
    return true
  }
}
