#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Stores bytes in place of the old value, in one round trip. Without `expiry`, the store's default applies.
  ///
  /// Throws `.tooLarge` for more than 512 MB, the limit of a server. Throws `.malformedFileAttributes` if another
  /// program keeps a list, a hash, … under the key, which stays. If the server refuses the write because it is full or
  /// read-only, the old value is still there.
  ///
  /// A write is sent once. If the connection is lost before the reply, it throws `.backendFailed`: the value may or may
  /// not be stored.
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

  /// Stores several values, in one round trip: on one server all or none. In a cluster, some may be stored if it
  /// throws.
  ///
  /// Lists, hashes, … that other programs keep under one of the keys are overwritten: a check would take another round
  /// trip.
  public func setObjects(_ objects: [Key: Data], expiry: Expiry?) async throws {
    do {
      let life = Life(expiry ?? self.expiry, by: clock)
      let isPast = try await store(objects, life)
      if isPast, let left = life.left(by: clock) { _ = try await store(objects, left) }
    } catch { throw client.explained(error, "store the entries") }
  }

  /// Removes the value of a key, if there is one. The server frees the memory of a large value later.
  public func removeObject(forKey key: Key) async throws {
    do {
      _ = try await send(RedisCommand("UNLINK", namespace.word(key)))
    } catch { throw client.explained(error, "remove the entry", key) }
  }

  /// Removes the values of several keys, in one round trip: on one server all or none.
  public func removeObjects(forKeys keys: [Key]) async throws {
    do {
      _ = try await sendWhole(keys.map { RedisCommand("UNLINK", namespace.word($0)) })
    } catch { throw client.explained(error, "remove the entries") }
  }

  /// Does nothing: the server removes expired entries itself, and never returns them.
  public func removeExpiredObjects() async throws {}

  /// Stores values. Returns whether their expiry date is past by a server's clock, though not by ours.
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

  /// Returns the command that stores a value, and that replaces only strings.
  ///
  /// With `GET` the server checks the old value. It also returns the old value, so the option is omitted for large
  /// values, which probably replace large ones.
  private func set(_ object: Data, _ key: Key, _ life: Life) throws -> RedisCommand {
    try write(object, key, life, object.count <= 1024 ? .inPlaceOfText : nil)
  }

  /// Returns the command that stores a value.
  func write(_ object: Data, _ key: Key, _ life: Life, _ condition: RedisCommand.Condition? = nil) throws
    -> RedisCommand
  {
    let bytes = StoredValue.bytes(try checked(object))
    return RedisCommand(set: namespace.word(key), to: bytes, life, condition)
  }

  /// Returns a value, or throws if a server cannot store it.
  func checked(_ object: Data) throws(StorageError) -> Data {
    // Servers by default close the connection at a longer word.
    if object.count > 512 << 20 - 64 {
      throw .tooLarge.with("\(object.count) bytes are more than the 512 MB that a server stores under a key")
    }
    return object
  }

  /// Sends writes together: to one server as a transaction, to the nodes of a cluster concurrently.
  private func sendWhole(_ commands: [RedisCommand]) async throws -> [RESPValue] {
    let isOne = try await !client.topology().isCluster
    let replies =
      isOne && commands.count > 1 ? try await client.sendWhole(commands) : try await client.send(commands)
    try Self.check(replies)
    return replies
  }
}
