/// The link that notes every change for the observers of a store.
///
/// It stands below the types, so that a view of any type hears of what a view of another type wrote, and above the tiers. It only
/// notes: whoever stands above delivers when the operation has left its turn. Nobody observes, nothing is read or kept.
package struct ObservedStorage<Inner: StorageAware>: StorageAware where Inner.Value == TypeWrapper {
  package typealias Key = Inner.Key
  package typealias Value = TypeWrapper
  typealias KeyEvent = ObserverList<Key>.KeyEvent

  let inner: Inner
  let observers: ObserverList<Key>

  package init(_ inner: Inner, observers: ObserverList<Key>) {
    self.inner = inner
    self.observers = observers
  }

  package var storageName: String { inner.storageName }
  package var wrappedStorages: [any StorageDesign] { inner.wrappedStorages }
  package var clock: StorageClock { inner.clock }
  package var mayBlock: Bool { inner.mayBlock }
  package var hub: StorageHub<Key>? { inner.hub }
  package func peek(forKey key: Key) -> Entry<TypeWrapper>? { inner.peek(forKey: key) }

  func isLive(_ expiry: Expiry?) -> Bool { expiry.map { !$0.isExpired(by: clock) } ?? false }

  func edit(_ before: Entry<TypeWrapper>?, _ after: TypeWrapper) -> KeyEvent {
    .edit(before: before.flatMap { isLive($0.expiry) ? $0.object : nil }, after: after)
  }
}
