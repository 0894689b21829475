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

  /// Writes the first parts, then the second parts. If the second write fails, restores the previous entries of the
  /// first store.
  func write(
    _ scope: TurnScope<Key>, _ keys: [Key], expiry: Expiry?, _ writeFirst: (Expiry?) throws -> Void,
    and writeSecond: (Expiry?) throws -> Void
  ) throws {
    let expiry = expiry?.resolved(by: clock)
    try changes.make(scope) {
      let before = Result { try first.entries(forKeys: keys) }
      try writeFirst(expiry)
      do { try writeSecond(expiry) } catch {
        do { try restore(keys, before.get()) } catch let second {
          throw halfWritten(
            .first, keys.count == 1 ? keys.first : nil, error,
            "and the first store's previous entry could not be restored: \(second)")
        }
        throw error
      }
    }
  }

  private func restore(_ keys: [Key], _ before: [Key: Entry<A.Value>]) throws {
    for key in keys {
      if let entry = before[key] {
        try first.setObject(entry.object, forKey: key, expiry: entry.expiry)
      } else {
        try first.removeObject(forKey: key)
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
