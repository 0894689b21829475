/// A keyed store: the contract every link of a chain keeps, from a dictionary to a cluster of servers.
///
/// Absent is not failed: a read answers `nil`, or throws `.notFound`, only where nothing is stored. A store that
/// could not find out throws its own error.
///
/// To write a store of your own, implement the six functions from `entryIfPresent` to `keys`; all others are built
/// on them. Override the batches where one transaction or one round trip can serve many keys.
public protocol StorageAware<Key, Value>: ReadWriteStorage where Key: Hashable {
  // Declared again, so that the compiler infers both from the functions of a store that says nothing of them.
  /// What a value is found by.
  associatedtype Key
  /// What is stored.
  associatedtype Value

  /// Reads what is stored, or `nil`. The entry may have expired and not been swept yet: look at its `expiry`.
  func entryIfPresent(forKey key: Key) async throws -> Entry<Value>?
  /// Stores a value in place of what was there. Without an expiry the store's own applies.
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws
  /// Stores a changed value in place of one that was read with this expiry. A store of several tiers keeps the expiry
  /// of each; by default this is a write with the expiry.
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws
  /// Removes what is stored under a key, if anything is.
  func removeObject(forKey key: Key) async throws
  /// Removes everything.
  func removeAll() async throws
  /// Removes what has expired.
  func removeExpiredObjects() async throws
  /// The keys of all that is stored and has not expired, in no order.
  func keys() async throws -> [Key]

  /// What is at hand without waiting, decoding or I/O; by default nothing.
  ///
  /// `nil` does not mean that nothing is stored. The entry may have expired.
  func peek(forKey key: Key) -> Entry<Value>?
  /// The expiry of what is stored, or `nil`; never decodes the value.
  func expiryIfPresent(forKey key: Key) async throws -> Expiry?
  /// Forgets what a memory tier holds of a key; other tiers keep it. By default there is no such tier.
  func removeInMemoryObject(forKey key: Key) async throws

  /// Reads many keys; those under which nothing is stored are missing from the answer.
  func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Value>]
  /// Stores many values.
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) async throws
  /// Removes what is stored under many keys.
  func removeObjects(forKeys keys: [Key]) async throws

  /// The clock by which entries expire; by default the system's.
  var clock: StorageClock { get }
  /// Whether a call can hold up its thread, on a disk say, or in a line with tasks; by default only a synchronous store
  /// does.
  var mayBlock: Bool { get }
  /// Where all that stand over this same store meet, to share order and observers. An object has one by
  /// default, a struct none unless it forwards that of the store it wraps.
  var hub: StorageHub<Key>? { get }
  /// Where the store tells of changes that others make to it; by default nowhere. What stands in front of a store that
  /// has one never serves what it was told has changed.
  var announcer: StorageAnnouncer<Key>? { get }
  /// What grants leases of keys to the processes that share the store; by default what the store below has.
  var leases: (any StorageLeasing<Key>)? { get }
}

/// A keyed store whose every function answers without suspending, so that it can be used without `await`.
///
/// A function that is not `async` is also a witness for its `async` twin: implement each once.
public protocol SyncStorageAware<Key, Value>: StorageAware {
  /// Reads what is stored, or `nil`. The entry may have expired and not been swept yet: look at its `expiry`.
  func entryIfPresent(forKey key: Key) throws -> Entry<Value>?
  /// Stores a value in place of what was there. Without an expiry the store's own applies.
  func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws
  /// Stores a changed value in place of one that was read with this expiry. A store of several tiers keeps the expiry
  /// of each; by default this is a write with the expiry.
  func replaceObject(_ object: Value, forKey key: Key, expiry: Expiry?) throws
  /// Removes what is stored under a key, if anything is.
  func removeObject(forKey key: Key) throws
  /// Removes everything.
  func removeAll() throws
  /// Removes what has expired.
  func removeExpiredObjects() throws
  /// The keys of all that is stored and has not expired, in no order.
  func keys() throws -> [Key]

  /// What `entryIfPresent` would return, if that can be said without waiting: for a disk, say, or for a lock that
  /// somebody holds who waits for one.
  ///
  /// Called on threads that must not wait, before a read and in the turn of its key: what it tells counts as if it was
  /// read. By default a store that never waits reads, and any other tells what it shows to a `peek`. A link asks the
  /// store below it.
  func entryAtHand(forKey key: Key) -> AtHand<Entry<Value>>
  /// What `expiryIfPresent` would return, if that can be said without waiting; by default the expiry of what is at
  /// hand.
  func expiryAtHand(forKey key: Key) -> AtHand<Expiry>

  /// The expiry of what is stored, or `nil`; never decodes the value.
  func expiryIfPresent(forKey key: Key) throws -> Expiry?
  /// Forgets what a memory tier holds of a key; other tiers keep it. By default there is no such tier.
  func removeInMemoryObject(forKey key: Key) throws

  /// Reads many keys; those under which nothing is stored are missing from the answer.
  func entries(forKeys keys: [Key]) throws -> [Key: Entry<Value>]
  /// Stores many values.
  func setObjects(_ objects: [Key: Value], expiry: Expiry?) throws
  /// Removes what is stored under many keys.
  func removeObjects(forKeys keys: [Key]) throws
}
