public import StrataCore

/// Returns two stores as one store of pairs.
///
/// A pair exists if both parts exist, until the earlier of their expiries; `keys()` returns the keys of both stores. A
/// pair is read and written as a whole: no read through this store sees one part of a write without the other.
///
/// - With `await`, both stores are used concurrently, in child tasks, so a pair takes as long as its slower part. They
///   are used one after the other if either has its part cached or never waits, or if neither suspends: two disks.
/// - Without `await`, the first store is used before the second.
/// - If one store refuses a write, the previous entries of both are restored, with the expiry that a read returns, and
///   the error is thrown. If the other store cannot be restored, the error says which part was written. For this
///   purpose a write first reads the previous entries.
/// - Removals remove both parts, even if one removal fails.
/// - If a task is cancelled during a write, it either writes both parts or restores both stores' previous entries. A
///   removal that has begun is finished.
/// - It may be used with and without `await` at the same time. If a store is a `Storage`, a `serial()` store, or
///   encrypted, calls with `await` then run on threads of their own, which takes some microseconds.
/// - Use the same clock for both stores. Direct operations on one of them are not atomic for the pair.
///
/// ```swift
/// let zipped = zip(names, ages)
/// try await zipped.set(("Ada", 36), forKey: "ada")
/// ```
@inlinable
public func zip<A: StorageAware, B: StorageAware>(
  _ first: A, _ second: B
) -> some StorageAware<A.Key, (A.Value, B.Value)> where A.Key == B.Key {
  ZippedStorage(first: first, second: second)
}

/// Returns two stores as one store of pairs, which can be used without `await`; see `zip(_:_:)` of two `StorageAware`.
@inlinable
public func zip<A: SyncStorageAware, B: SyncStorageAware>(
  _ first: A, _ second: B
) -> some SyncStorageAware<A.Key, (A.Value, B.Value)> where A.Key == B.Key {
  ZippedStorage(first: first, second: second)
}

/// Returns two stores as one store of pairs. A pair exists if both parts exist.
///
/// Both stores are used concurrently. Writes wait in one queue. If one store fails, the other keeps the written part,
/// and the error says so. A read that is concurrent with a write may see one part of it.
public func zip<A: ReadableStorage & WritableStorage, B: ReadableStorage & WritableStorage>(
  _ first: A, _ second: B
) -> some ReadWriteStorage<A.Key, (A.Value, B.Value)>
where A.Key == B.Key {
  ZippedPlainStorage(first: first, second: second)
}

/// Returns two stores as one readable store of pairs. A pair exists if both parts exist. The parts are read
/// concurrently.
public func zip<A: ReadableStorage, B: ReadableStorage>(
  _ first: A, _ second: B
) -> some ReadableStorage<A.Key, (A.Value, B.Value)> where A.Key == B.Key {
  ZippedPlainStorage(first: first, second: second)
}

/// Returns two stores as one writable store of pairs. One pair is written at a time, both parts concurrently.
///
/// If one store fails, the other keeps the written part, and the error says so.
public func zip<A: WritableStorage, B: WritableStorage>(
  _ first: A, _ second: B
) -> some WritableStorage<A.Key, (A.Value, B.Value)> where A.Key == B.Key {
  ZippedPlainStorage(first: first, second: second)
}
