#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Stores bytes in place of what was there, in one round trip. Without an expiry that of the store applies.
  ///
  /// Throws `.tooLarge` for more than 512 MB, which is all that a server takes, and `.malformedFileAttributes` where
  /// somebody keeps a list, a hash, … under the key, which stays. If the server refuses, because it is full or can only
  /// be read, what was stored before is still there.
  ///
  /// A write is sent once. If the connection is lost before the reply, it throws `.backendFailed`: the value may be
  /// stored, or not.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    do {
      let life = Life(expiry ?? self.expiry, by: clock)
      if let lease = StorageLease.current, lease.isIssued(by: self) {
        return try await set(object, key, life, under: lease)
      }
      let again = try await send(set(object, key, life), giving: life, to: namespace.word(key)).again
      if let again { _ = try await send(set(object, key, again)) }
    } catch { throw client.explained(error, "store the entry", key) }
  }

  /// Stores many values, in one round trip. On one server, all of them or none; in a cluster some of them may be stored
  /// if it throws.
  ///
  /// Where somebody keeps a list, a hash, … under one of the keys, that is overwritten: to look first would take
  /// another round trip.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) async throws {
    do {
      let life = Life(expiry ?? self.expiry, by: clock)
      let isPast = try await store(objects, life)
      if isPast, let left = life.left(by: clock) { _ = try await store(objects, left) }
    } catch { throw client.explained(error, "store the entries") }
  }

  /// Removes what is stored under a key, if anything is. The server frees the memory of a large value later.
  public func removeObject(forKey key: Key) async throws {
    do {
      _ = try await send(RedisCommand("UNLINK", namespace.word(key)))
    } catch { throw client.explained(error, "remove the entry", key) }
  }

  /// Removes what is stored under many keys, in one round trip. On one server, all of it or nothing.
  public func removeObjects(forKeys keys: [Key]) async throws {
    do {
      _ = try await sendWhole(keys.map { RedisCommand("UNLINK", namespace.word($0)) })
    } catch { throw client.explained(error, "remove the entries") }
  }

  /// Nothing: the server removes what has expired by itself, and never shows it.
  public func removeExpiredObjects() async throws {}

  /// Stores values. Returns whether their date is past to a server, though not to us.
  private func store(_ objects: [Key: Data], _ life: Life) async throws -> Bool {
    let sets = try objects.map { try write($0.value, $0.key, life) }
    guard case .until = life, let first = objects.keys.first else {
      _ = try await sendWhole(sets)
      return false
    }
    if try await !client.topology().isCluster {
      return try await sendWhole(sets + [RedisCommand("PTTL", namespace.word(first))]).last?.integer == -2
    }
    let checked = zip(sets, objects.keys).map {
      RedisCommand(whole: [$0, RedisCommand("PTTL", namespace.word($1))])
    }
    return try await sendWhole(checked).contains { $0.elements?.last?.integer == -2 }
  }

  /// The command that stores a value in place of another, and of nothing else.
  ///
  /// `GET` has the server look at what is there. It answers with that, so large values, which are likely to take the
  /// place of large ones, do without.
  private func set(_ object: Data, _ key: Key, _ life: Life) throws -> RedisCommand {
    try write(object, key, life, object.count <= 1024 ? .inPlaceOfText : nil)
  }

  /// The command that stores a value.
  func write(_ object: Data, _ key: Key, _ life: Life, _ condition: RedisCommand.Condition? = nil) throws
    -> RedisCommand
  {
    let bytes = StoredValue.bytes(try checked(object))
    return RedisCommand(set: namespace.word(key), to: bytes, life, condition)
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
  private func sendWhole(_ commands: [RedisCommand]) async throws -> [RESPValue] {
    let isOne = try await !client.topology().isCluster
    let replies =
      isOne && commands.count > 1 ? try await client.sendWhole(commands) : try await client.send(commands)
    try Self.check(replies)
    return replies
  }
}
