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

  /// Changes both stores, the second even if the first fails.
  func both(_ first: @Sendable () async throws -> Void, and second: @Sendable () async throws -> Void)
    async throws
  {
    let outcomes =
      bothMayWait ? await atOnce(first, and: second) : (await Result(of: first), await Result(of: second))
    switch outcomes {
    case (.success, .success): return
    case (.failure(let error), .failure(let second)): throw doubleFault(error, second)
    case (.failure(let error), .success), (.success, .failure(let error)): throw error
    }
  }

  /// Writes both parts. If one write fails, restores the previous entries of the other store.
  func write(
    _ scope: TurnScope<Key>, _ keys: [Key], expiry: Expiry?,
    _ writeFirst: @Sendable (Expiry?) async throws -> Void,
    and writeSecond: @Sendable (Expiry?) async throws -> Void
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
        try await writeFirst(expiry)
        do { try await writeSecond(expiry) } catch {
          try await takeBack(.first, keys, in: first, before, after: error)
        }
      }
    }
  }

  private func writeAtOnce(
    _ keys: [Key], _ writeFirst: @Sendable () async throws -> Void,
    and writeSecond: @Sendable () async throws -> Void
  ) async throws {
    let before = await atOnce {
      try await first.entries(forKeys: keys)
    } and: {
      try await second.entries(forKeys: keys)
    }
    switch await atOnce(writeFirst, and: writeSecond) {
    case (.success, .success): return
    case (.failure(let error), .failure(let second)): throw doubleFault(error, second)
    case (.success, .failure(let error)):
      try await takeBack(.first, keys, in: first, before.0, after: error)
    case (.failure(let error), .success):
      try await takeBack(.second, keys, in: second, before.1, after: error)
    }
  }

  /// Restores the entries that a store had before a write, and throws the error of the write to the other store.
  private func takeBack<Part: StorageAware>(
    _ part: PairPart, _ keys: [Key], in store: Part, _ before: Result<[Key: Entry<Part.Value>], any Error>,
    after error: any Error
  ) async throws where Part.Key == Key {
    do {
      let before = try before.get()
      try await regardless {
        for key in keys {
          if let entry = before[key] {
            try await store.setObject(entry.object, forKey: key, expiry: entry.expiry)
          } else {
            try await store.removeObject(forKey: key)
          }
        }
      }
    } catch let second {
      throw halfWritten(
        part, keys.count == 1 ? keys.first : nil, error,
        "and the \(part) store's previous entry could not be restored: \(second)")
    }
    throw error
  }
}
