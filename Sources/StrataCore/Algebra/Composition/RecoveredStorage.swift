/// A keyed store whose failed reads are made good.
///
/// What the recovery answers is read and not stored: reads of values see it, questions about what is stored do not.
package struct RecoveredStorage<Base: StorageAware, R: Recovery>: StorageAware
where R.Key == Base.Key, R.Value == Base.Value {
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  let base: Base
  let recovery: R
  package let storageName: String

  package var wrappedStorages: [any StorageDesign] { [base] }
  package var clock: StorageClock { base.clock }
  package var mayBlock: Bool { base.mayBlock }
  package var hub: StorageHub<Key>? { base.hub }
  package var announcer: StorageAnnouncer<Key>? { base.announcer }

  /// What is stored and at hand; what is missing may be elsewhere in the store.
  package func peek(forKey key: Key) -> Entry<Value>? { base.peek(forKey: key).flatMap(live) }

  /// An entry that the recovery is not needed for.
  func live(_ entry: Entry<Value>) -> Entry<Value>? { entry.expiry.isExpired(by: clock) ? nil : entry }
}
