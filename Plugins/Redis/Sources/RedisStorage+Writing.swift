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
      try await store(objects.map { ($0, $1, life) })
    } catch { throw client.explained(error, "store the entries") }
  }

  /// Stores several values, each with its own expiry, in one round trip: on one server all or none.
  public func setEntries(_ entries: [Key: Entry<Data>]) async throws {
    do {
      try await store(entries.map { ($0, $1.object, Life($1.expiry, by: clock)) })
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

  private typealias NewEntry = (key: Key, value: Data, life: Life)

  /// Stores values; again for as long as is left, if a date is past by a server's clock, though not by ours.
  private func store(_ entries: [NewEntry]) async throws {
    if entries.isEmpty { return }
    guard try await storeOnce(entries) else { return }
    _ = try await storeOnce(entries.map { ($0.key, $0.value, $0.life.left(by: clock) ?? $0.life) })
  }

  /// Stores values. Returns whether the date of one is past by a server's clock, though not by ours.
  private func storeOnce(_ entries: [NewEntry]) async throws -> Bool {
    let sets = try entries.map { try write($0.value, $0.key, $0.life) }
    let dated = entries.compactMap { entry in
      if case .until(let date) = entry.life { (key: entry.key, date: date) } else { nil }
    }
    // Of the entries on one server, the one that expires first tells of all.
    guard let first = dated.min(by: { $0.date < $1.date }) else {
      _ = try await sendWhole(sets)
      return false
    }
    if try await !client.topology().isCluster {
      return try await sendWhole(sets + [RedisCommand("PTTL", namespace.word(first.key))]).last?.integer == -2
    }
    let checked = zip(sets, entries).map {
      RedisCommand(whole: [$0, RedisCommand("PTTL", namespace.word($1.key))])
    }
    return zip(try await sendWhole(checked), entries).contains { reply, entry in
      entry.life != .over && reply.elements?.last?.integer == -2
    }
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
