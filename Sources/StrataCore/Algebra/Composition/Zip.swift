/// Two stores seen as one store of pairs.
///
/// A pair is there where both parts are, until the earlier of their expiries; `keys()` are those of both. A pair is
/// read and written as a whole: through this store nobody sees one part of a write without the other.
///
/// - With `await`, both stores are used at the same time, in child tasks, so that a pair takes as long as
///   its slower part. They are used one after the other where one of them has the part at hand, or never waits, as
///   memory does.
/// - Without `await`, the first store is used before the second.
/// - If one store refuses a write, the other gets back what it had, and the error is thrown; if that fails too, the
///   error says which part was written. To know what to give back, a write reads before.
/// - Removals remove both parts, also if one fails.
/// - Give both stores the same clock. What is done to one of them directly is not seen as a pair.
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

/// Two stores seen as one store of pairs, without `await`; see `zip(_:_:)` of two `StorageAware`.
@inlinable
public func zip<A: SyncStorageAware, B: SyncStorageAware>(
  _ first: A, _ second: B
) -> some SyncStorageAware<A.Key, (A.Value, B.Value)> where A.Key == B.Key {
  ZippedStorage(first: first, second: second)
}

/// Two stores seen as one store of pairs, which is there where both parts are.
///
/// Both stores are used at the same time. Writes wait in one line. If one store fails, the other keeps what was
/// written, and the error says so. A read beside a write may see one part of it.
public func zip<A: ReadableStorage & WritableStorage, B: ReadableStorage & WritableStorage>(
  _ first: A, _ second: B
) -> some ReadWriteStorage<A.Key, (A.Value, B.Value)>
where A.Key == B.Key {
  ZippedPlainStorage(first: first, second: second)
}

/// Two stores read as one store of pairs, which is there where both parts are. They are read at the same time.
public func zip<A: ReadableStorage, B: ReadableStorage>(
  _ first: A, _ second: B
) -> some ReadableStorage<A.Key, (A.Value, B.Value)> where A.Key == B.Key {
  ZippedReadableStorage(first: first, second: second)
}

/// Two stores written as one store of pairs: one pair at a time, both parts at the same time.
///
/// If one store fails, the other keeps what was written, and the error says so.
public func zip<A: WritableStorage, B: WritableStorage>(
  _ first: A, _ second: B
) -> some WritableStorage<A.Key, (A.Value, B.Value)> where A.Key == B.Key {
  ZippedWritableStorage(first: first, second: second)
}
