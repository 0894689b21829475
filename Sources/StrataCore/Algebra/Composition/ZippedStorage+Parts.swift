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

  /// Writes both parts. If a write fails, restores the previous entries of both stores: also a failed write may have
  /// changed some of them. `restore` is the function that stores a previous entry.
  func write(
    _ scope: TurnScope<Key>, _ keys: [Key], restore: Restore = .setting,
    _ writeFirst: @Sendable () async throws -> Void,
    and writeSecond: @Sendable () async throws -> Void
  ) async throws {
    try await changes.make(scope) {
      let before = await entriesBefore(keys)
      // Nothing is written yet: without the previous entries, a cancelled task could restore nothing.
      if Task.isCancelled { _ = (try before.0.get(), try before.1.get()) }
      let outcomes: (Result<Void, any Error>, Result<Void, any Error>?)
      if bothMayWait {
        outcomes = await atOnce {
          try await writeFirst()
        } and: {
          try await writeSecond()
        }
      } else {
        let first = await Result(of: { try await writeFirst() })
        var second: Result<Void, any Error>?
        if case .success = first { second = await Result(of: { try await writeSecond() }) }
        outcomes = (first, second)
      }
      if case (.success, .success) = outcomes { return }
      let restored = (
        await Result(of: { try await put(before.0, back: keys, in: first, restore) }),
        outcomes.1 == nil
          ? .success(()) : await Result(of: { try await put(before.1, back: keys, in: second, restore) })
      )
      throw failure(outcomes, restored, keys)
    }
  }

  private func entriesBefore(
    _ keys: [Key]
  ) async -> (Result<[Key: Entry<A.Value>], any Error>, Result<[Key: Entry<B.Value>], any Error>) {
    if bothMayWait {
      return await atOnce {
        try await first.entries(forKeys: keys)
      } and: {
        try await second.entries(forKeys: keys)
      }
    }
    return (
      await Result(of: { try await first.entries(forKeys: keys) }),
      await Result(of: { try await second.entries(forKeys: keys) })
    )
  }

  /// Restores the entries that a store had before a write.
  private func put<Part: StorageAware>(
    _ before: Result<[Key: Entry<Part.Value>], any Error>, back keys: [Key], in store: Part,
    _ restore: Restore
  ) async throws where Part.Key == Key {
    let before = try before.get()
    try await changes.order.regardless {
      for key in keys {
        guard let entry = before[key] else {
          try await store.removeObject(forKey: key)
          continue
        }
        switch restore {
        case .setting: try await store.setObject(entry.object, forKey: key, expiry: entry.expiry)
        case .replacing: try await store.replaceObject(entry.object, forKey: key, expiry: entry.expiry)
        }
      }
    }
  }
}
