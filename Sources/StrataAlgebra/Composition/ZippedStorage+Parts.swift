public import StrataCore

extension ZippedStorage {
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

  /// Returns whether a read of a key is likely to wait in both stores. For a cached part, a second task costs more than
  /// it saves.
  private func isWorthTwoTasks(_ key: Key) -> Bool {
    bothMayWait && first.peek(forKey: key) == nil && second.peek(forKey: key) == nil
  }

  /// Runs both operations, concurrently if both may wait. Otherwise the second runs after the first and, with
  /// `stopping`, only if that has not failed.
  func together<T: Sendable, U: Sendable>(
    stopping: Bool = false, _ one: @Sendable () async throws -> T, and other: @Sendable () async throws -> U
  ) async -> (Result<T, any Error>, Result<U, any Error>?) {
    if bothMayWait {
      let (one, two) = await atOnce(one, and: other)
      return (one, two)
    }
    let one = await Result(of: one)
    return (one, stopping && one.failure != nil ? nil : await Result(of: other))
  }
}

// The synchronous variants: one part after the other.
extension ZippedStorage where A: SyncStorageAware, B: SyncStorageAware {
  /// Reads both parts. Returns `nil` if either part is absent.
  @inlinable
  func parts<T, U>(
    of _: Key? = nil, _ first: () throws -> T?, and second: () throws -> U?
  ) throws -> (T, U)? {
    guard let one = try first() else { return nil }
    return try second().map { (one, $0) }
  }

  /// Runs both operations, with `stopping` the second only if the first has not failed.
  func together<T, U>(
    stopping: Bool = false, _ one: () throws -> T, and other: () throws -> U
  ) -> (Result<T, any Error>, Result<U, any Error>?) {
    let one = Result(catching: one)
    return (one, stopping && one.failure != nil ? nil : Result(catching: other))
  }
}
