public import StrataCore

/// The entries that a read of many keys found, and the errors of the other keys.
///
/// ```swift
/// let result = try await users.results(forKeys: ids)
/// print("\(result.objects.count) users, \(result.errors.count) errors")
/// ```
public struct BulkResult<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The entries that were stored or loaded. The expiry of a stale value has passed.
  public internal(set) var entries: [Key: Entry<Value>] = [:]
  /// The errors of the keys that could not be loaded. A key in neither dictionary has no value.
  public internal(set) var errors: [Key: any Error] = [:]

  /// The values that were stored or loaded.
  public var objects: [Key: Value] { entries.mapValues(\.object) }
}

extension LoadingStorage {
  /// Returns the values of many keys, and loads those that are not stored or not fresh. An error of one key does not
  /// affect the others. Throws only if the task is cancelled.
  ///
  /// Reads the inner store once for all keys. A loader of many keys (`loading(_:many:)`) is called once for the missing
  /// ones, or as often as `LoadPolicy.bulkLimit` requires; keys in flight elsewhere are joined. A loader of one key is
  /// called concurrently for each missing one.
  ///
  /// ```swift
  /// let result = try await users.results(forKeys: ids)
  /// for (id, error) in result.errors { logger.warning("no user \(id): \(error)") }
  /// ```
  public func results(forKeys keys: [Key]) async throws -> BulkResult<Key, Value> {
    var result = BulkResult<Key, Value>()
    var rest: [Key] = []
    for key in Set(keys) {
      if let entry = peek(forKey: key) {
        engine.reporter.hit(key)
        result.entries[key] = entry
      } else {
        rest.append(key)
      }
    }
    if rest.isEmpty { return result }
    for (key, outcome) in try await engine.read(rest) {
      switch outcome {
      case .success(let found):
        if let value = found.value { result.entries[key] = Entry(object: value, expiry: found.expiry) }
      case .failure(let error): result.errors[key] = error
      }
    }
    return result
  }

  /// Reads many keys like `results(forKeys:)`. Keys without a value are missing from the result. Throws the error of
  /// one failed key; values loaded for the others are stored nevertheless.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Value>] {
    if !how.allowsBatch { return try await readEach(keys, how) }
    if how.contains(.authoritative) { _ = try await engine.base.read(keys, .authoritative) }
    let result = try await results(forKeys: keys)
    if let error = result.errors.values.first { throw error }
    return result.entries
  }

  /// Reads many values like `results(forKeys:)`. Keys without a value are missing from the result. Throws the error of
  /// one failed key.
  public func objects(forKeys keys: [Key]) async throws -> [Key: Value] {
    try await read(keys, []).mapValues(\.object)
  }
}
