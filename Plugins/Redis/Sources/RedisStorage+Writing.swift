#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Stores bytes in place of what was there, in one round trip. Without an expiry that of the store applies.
  ///
  /// Throws `.tooLarge` for more than 512 MB, which is all that a server takes. If the server refuses, because it is full or
  /// can only be read, what was stored before is still there.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    do {
      _ = try await send(set(object, key, (expiry ?? self.expiry).millisecondsSince1970(by: clock)))
    } catch { throw client.explained(error, "store the entry", key) }
  }

  /// Stores many values, in one round trip. On one server, all of them or none; in a cluster some of them may be stored if it throws.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) async throws {
    do {
      let milliseconds = (expiry ?? self.expiry).millisecondsSince1970(by: clock)
      try await sendWhole(objects.map { try set($0.value, $0.key, milliseconds) })
    } catch { throw client.explained(error, "store the entries") }
  }

  /// Removes what is stored under a key, if anything is. The server frees the memory of a large value later.
  public func removeObject(forKey key: Key) async throws {
    do {
      _ = try await send(RedisCommand("UNLINK", namespace.word(key), isIdempotent: true))
    } catch { throw client.explained(error, "remove the entry", key) }
  }

  /// Removes what is stored under many keys, in one round trip. On one server, all of it or nothing.
  public func removeObjects(forKeys keys: [Key]) async throws {
    do {
      try await sendWhole(keys.map { RedisCommand("UNLINK", namespace.word($0), isIdempotent: true) })
    } catch { throw client.explained(error, "remove the entries") }
  }

  /// Nothing: the server removes what has expired by itself, and never shows it.
  public func removeExpiredObjects() async throws {}

  private func set(_ object: Data, _ key: Key, _ milliseconds: Int?) throws -> RedisCommand {
    let word = RedisCommand.Word.bytes(StoredValue.bytes(try checked(object), expiry: milliseconds))
    guard let milliseconds else { return RedisCommand("SET", namespace.word(key), word, isIdempotent: true) }
    return RedisCommand("SET", namespace.word(key), word, "PXAT", .integer(milliseconds), isIdempotent: true)
  }

  /// A value that a server can take.
  func checked(_ object: Data) throws(StorageError) -> Data {
    // What servers take as a word by default; more, and they hang up.
    if object.count > 512 << 20 - 64 {
      throw .tooLarge.with("\(object.count) bytes are more than the 512 MB that a server stores under a key")
    }
    return object
  }

  /// Sends writes in one go: to one server as a transaction, to the nodes of a cluster side by side.
  private func sendWhole(_ commands: [RedisCommand]) async throws {
    let isOne = try await !client.known().topology.isCluster
    let replies =
      isOne && commands.count > 1 ? try await client.sendWhole(commands) : try await client.send(commands)
    try Self.check(replies)
  }
}
