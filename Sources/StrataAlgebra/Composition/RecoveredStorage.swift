package import StrataCore

/// A keyed store with recovery from failed reads.
///
/// Recovered values are never stored: reads of values return them, queries about stored entries do not.
package struct RecoveredStorage<Base: StorageAware, R: Recovery>: StorageLink
where R.Key == Base.Key, R.Value == Base.Value {
  package typealias Key = Base.Key
  package typealias Value = Base.Value

  package let base: Base
  let recovery: R
  package var storageName = "recover"

  package var wrappedStorages: [any StorageDesign] { [base] }
}

extension RecoveredStorage: ConditionalStorage where Base: ConditionalStorage {}

extension RecoveredStorage: SyncConditionalStorage where Base: SyncConditionalStorage, R: SyncRecovery {}

extension RecoveredStorage: CountingStorage where Base: CountingStorage {}
