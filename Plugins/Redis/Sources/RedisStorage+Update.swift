#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage: UpdateableStorage {
  /// Reads, modifies and stores a value, atomically for all processes, and returns the stored value. The expiry is
  /// unchanged.
  ///
  /// Throws `.notFound` if there is no value. If `modify` throws, nothing is changed. No lock is held while `modify`
  /// runs: if another client changes the entry meanwhile, `modify` runs again on the new value. It throws
  /// `.backendFailed` if that continues for longer than `RedisConfig.timeout`. It also does if the connection is lost
  /// and it is unknown whether the change was made: a change is never made twice.
  ///
  /// Takes two round trips, on a separate connection. Updates of one key through this store take turns.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    do {
      let word = namespace.word(key)
      let watch = [RedisCommand("WATCH", word), RedisCommand("GET", word)]
      return try await updates.withTurn(.key(key)) {
        try await client.transaction(reading: watch) { replies in
          let stored = replies[1].bytes
          guard let stored, case let entry = RedisValue.entry(stored), !entry.expiry.isExpired(by: clock)
          else {
            throw StorageError.notFound
          }
          var value = entry.object
          try modify(&value)
          let bytes = RedisValue.bytes(try checked(value))
          return (value, [RedisCommand("SET", word, .bytes(bytes), "KEEPTTL")])
        }
      }
    } catch { throw client.explained(error, "update the entry", key) }
  }
}
