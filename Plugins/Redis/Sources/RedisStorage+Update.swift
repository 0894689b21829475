#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage: UpdateableStorage {
  /// Reads a value, changes it and stores it, as one operation as all other processes see it, and returns what it
  /// stored. The expiry stays.
  ///
  /// Throws `.notFound` where there is no value. If `modify` throws, nothing is changed. Nothing is locked while
  /// `modify` runs: if somebody else changes the entry meanwhile, it runs again on the new value. If that goes on for
  /// longer than a call may take, or the connection is lost so that nobody knows whether the change was made, it throws
  /// `.backendFailed`: it is never made twice.
  ///
  /// Takes two round trips, on a connection of its own. Updates of one key by this store stand in line.
  @discardableResult
  public func update(forKey key: Key, _ modify: (inout Data) throws -> Void) async throws -> Data {
    do {
      let word = namespace.word(key)
      let watch = [RedisCommand("WATCH", word), RedisCommand("GET", word)]
      return try await updates.withTurn(.key(key)) {
        try await client.transaction(reading: watch) { replies in
          let stored = replies[1].bytes
          guard let stored, case let entry = StoredValue.entry(stored), !entry.expiry.isExpired(by: clock)
          else {
            throw StorageError.notFound
          }
          var value = entry.object
          try modify(&value)
          let bytes = StoredValue.bytes(try checked(value))
          return (value, [RedisCommand("SET", word, .bytes(bytes), "KEEPTTL")])
        }
      }
    } catch { throw client.explained(error, "update the entry", key) }
  }
}
