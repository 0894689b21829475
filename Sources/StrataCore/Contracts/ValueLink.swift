/// A link that stores other values than it shows. It says how an entry of its base is shown, and how a value is stored.
@usableFromInline
package protocol ValueLink: StorageLink {
  /// Returns an entry of the base with the value that this store shows. The entry may be without a value.
  func shown(_ entry: Entry<Base.Value>, forKey key: Key) throws -> Entry<Value>
  /// Returns the value that the base stores.
  func stored(_ value: Value, forKey key: Key) throws -> Base.Value
}

/// A `ValueLink` over a store that does not suspend.
@usableFromInline
package protocol SyncValueLink: ValueLink, SyncStorageLink {}
