/// A store over one inner store that forwards to it every operation that it does not implement itself.
///
/// Operations on values are forwarded if both stores have the same type of values. `_withCachedObject` is not: by
/// default it uses the link's own `peek`.
@usableFromInline
package protocol StorageLink: StorageAware {
  /// The type of the inner store.
  associatedtype Base: StorageAware where Base.Key == Key
  /// The inner store.
  var base: Base { get }
}

extension StorageLink {
  @inlinable package var clock: StorageClock { base.clock }
  @inlinable package var mayBlock: Bool { base.mayBlock }
  @inlinable package var coordinator: StorageCoordinator<Key>? { base.coordinator }
  @inlinable package var invalidationSource: InvalidationSource<Key>? { base.invalidationSource }
}

extension StorageLink where Value == Base.Value {
  @inlinable
  package func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key) }
}
