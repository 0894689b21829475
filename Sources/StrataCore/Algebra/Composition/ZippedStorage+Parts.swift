extension ZippedStorage {
  /// Returns whether a read of a key is likely to wait in both stores. For a cached part, a second task costs more than
  /// it saves.
  func isWorthTwoTasks(_ key: Key) -> Bool {
    bothMayWait && first.peek(forKey: key) == nil && second.peek(forKey: key) == nil
  }

  /// Reads both parts of a key, or of all keys. If reads of both stores are likely to wait, they run concurrently.
  /// Returns `nil` if either part is absent.
  func parts<T: Sendable, U: Sendable>(
    of key: Key? = nil, _ first: @Sendable () async throws -> T?,
    and second: @Sendable () async throws -> U?
  ) async throws -> (T, U)? {
    if key.map(isWorthTwoTasks) ?? bothMayWait { return try await readAtOnce(first, and: second) }
    guard let one = try await first() else { return nil }
    return try await second().map { (one, $0) }
  }

  /// Changes both stores, the second even if the first fails. Changes that have begun are made even if the task is
  /// cancelled.
  func both(
    _ first: @escaping @Sendable () async throws -> Void,
    and second: @escaping @Sendable () async throws -> Void
  ) async throws {
    let one: @Sendable () async throws -> Void = { try await finishing(first) }
    let two: @Sendable () async throws -> Void = { try await finishing(second) }
    let outcomes =
      bothMayWait ? await atOnce(one, and: two) : (await Result(of: one), await Result(of: two))
    switch outcomes {
    case (.success, .success): return
    case (.failure(let error), .failure(let second)): throw doubleFault(error, second)
    case (.failure(let error), .success), (.success, .failure(let error)): throw error
    }
  }

  /// Writes both parts. If one write fails, restores the previous entries of the other store. If the task is cancelled,
  /// either both parts are written or both stores have their previous entries again.
  func write(
    _ scope: TurnScope<Key>, _ keys: [Key], expiry: Expiry?,
    _ writeFirst: @escaping @Sendable (Expiry?) async throws -> Void,
    and writeSecond: @escaping @Sendable (Expiry?) async throws -> Void
  ) async throws {
    let expiry = expiry?.resolved(by: clock)
    try await changes.make(scope) {
      if bothMayWait {
        try await writeAtOnce(keys) {
          try await writeFirst(expiry)
        } and: {
          try await writeSecond(expiry)
        }
      } else {
        let before = await Result(of: { try await first.entries(forKeys: keys) })
        try before.throwIfCancelled()
        do { try await writeFirst(expiry) } catch {
          guard error.isCancellation else { throw error }
          throw await afterRestoring(.first, keys, in: first, before, error)
        }
        do { try await finishing { try await writeSecond(expiry) } } catch {
          throw await afterRestoring(.first, keys, in: first, before, error)
        }
      }
    }
  }

  private func writeAtOnce(
    _ keys: [Key], _ writeFirst: @escaping @Sendable () async throws -> Void,
    and writeSecond: @escaping @Sendable () async throws -> Void
  ) async throws {
    let before = await atOnce {
      try await first.entries(forKeys: keys)
    } and: {
      try await second.entries(forKeys: keys)
    }
    try before.0.throwIfCancelled()
    try before.1.throwIfCancelled()
    switch await changeAtOnce(writeFirst, and: writeSecond) {
    case (.success, .success): return
    case (.failure(let error), .failure(let second)):
      // A cancelled write may have been made.
      var failure = doubleFault(error, second)
      if error.isCancellation { failure = await afterRestoring(.first, keys, in: first, before.0, failure) }
      if second.isCancellation {
        failure = await afterRestoring(.second, keys, in: self.second, before.1, failure)
      }
      throw failure
    case (.success, .failure(let error)):
      throw await afterRestoring(.first, keys, in: first, before.0, error)
    case (.failure(let error), .success):
      throw await afterRestoring(.second, keys, in: second, before.1, error)
    }
  }

  /// Restores the entries that a store had before a write. Returns the error to throw.
  private func afterRestoring<Part: StorageAware>(
    _ part: PairPart, _ keys: [Key], in store: Part, _ before: Result<[Key: Entry<Part.Value>], any Error>,
    _ error: any Error
  ) async -> any Error where Part.Key == Key {
    do {
      let before = try before.get()
      try await changes.order.regardless {
        for key in keys {
          if let entry = before[key] {
            try await store.setObject(entry.object, forKey: key, expiry: entry.expiry)
          } else {
            try await store.removeObject(forKey: key)
          }
        }
      }
      return error
    } catch let second {
      return halfWritten(
        part, keys.count == 1 ? keys.first : nil, error,
        "and the \(part) store's previous entry could not be restored: \(second)")
    }
  }
}

extension Result where Failure == any Error {
  /// Throws the error of a read that was given up because this task is cancelled: nothing has changed yet.
  fileprivate func throwIfCancelled() throws {
    if case .failure(let error) = self, error.isCancellation { throw error }
  }
}
