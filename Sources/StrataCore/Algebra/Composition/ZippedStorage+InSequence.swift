/// The synchronous reads and writes of both parts, one after the other.
extension ZippedStorage where A: SyncStorageAware, B: SyncStorageAware {
  /// Reads both parts. Returns `nil` if either part is absent.
  @inlinable
  func parts<T, U>(
    of _: Key? = nil, _ first: () throws -> T?, and second: () throws -> U?
  ) throws -> (T, U)? {
    guard let one = try first() else { return nil }
    return try second().map { (one, $0) }
  }

  /// Writes the first parts, then the second parts. If a write fails, restores the previous entries of both stores:
  /// also a failed write may have changed some of them.
  func write(
    _ scope: TurnScope<Key>, _ keys: [Key], restore: Restore = .setting,
    _ writeFirst: () throws -> Void, and writeSecond: () throws -> Void
  ) throws {
    try changes.make(scope) {
      let before = (Result { try first.entries(forKeys: keys) }, Result { try second.entries(forKeys: keys) })
      let written = Result { try writeFirst() }
      var writtenToo: Result<Void, any Error>?
      if case .success = written { writtenToo = Result { try writeSecond() } }
      if case .success? = writtenToo { return }
      let restored = (
        Result { try put(before.0, back: keys, in: first, restore) },
        writtenToo == nil ? .success(()) : Result { try put(before.1, back: keys, in: second, restore) }
      )
      throw failure((written, writtenToo), restored, keys)
    }
  }

  /// Restores the entries that a store had before a write.
  private func put<Part: SyncStorageAware>(
    _ before: Result<[Key: Entry<Part.Value>], any Error>, back keys: [Key], in store: Part,
    _ restore: Restore
  ) throws where Part.Key == Key {
    let before = try before.get()
    for key in keys {
      guard let entry = before[key] else {
        try store.removeObject(forKey: key)
        continue
      }
      switch restore {
      case .setting: try store.setObject(entry.object, forKey: key, expiry: entry.expiry)
      case .replacing: try store.replaceObject(entry.object, forKey: key, expiry: entry.expiry)
      }
    }
  }

  /// Runs both functions, the second even if the first fails.
  func both(_ one: () throws -> Void, and other: () throws -> Void) throws {
    do { try one() } catch {
      do { try other() } catch let second { throw doubleFault(error, second) }
      throw error
    }
    try other()
  }
}
