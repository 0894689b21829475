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
  /// read-only, the old value is still there. A value of more than 64 kB takes a second round trip.
  ///
  /// A write is sent once. If the connection is lost before the reply, it throws `.backendFailed`: the value may or may
  /// not be stored.
  public func setObject(_ object: Data, forKey key: Key, expiry: Expiry?) async throws {
    do {
      let life = Life(expiry ?? self.expiry, by: clock)
      if let lease = StorageLease.current, lease.isIssued(by: self) {
        return try await set(object, key, life, under: lease)
      }
      // Returning more than 64 kB takes as long as a round trip.
      let condition = object.count <= 64 << 10 ? RedisCommand.Condition.inPlaceOfText : nil
      if condition == nil { try await refuseForeign([key]) }
      let again = try await send(write(object, key, life, condition), giving: life, to: namespace.word(key))
        .again
      if let again { _ = try await send(write(object, key, again, condition)) }
    } catch { throw client.explained(error, "store the entry", key) }
  }

  /// Stores several values, in one round trip: on one server all or none. In a cluster, some may be stored if it
  /// throws.
  ///
  /// Throws `.malformedFileAttributes` if another program keeps a list, a hash, … under one of the keys, which stays;
  /// values of other keys may be stored then. A batch of more than 4 MB takes a second round trip for each thousand.
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
      _ = try await sendWhole(keys.map { RedisCommand("UNLINK", namespace.word($0)) }, keys)
    } catch { throw client.explained(error, "remove the entries") }
  }

  /// Does nothing: the server removes expired entries itself, and never returns them.
  public func removeExpiredObjects() async throws {}

  typealias NewEntry = (key: Key, value: Data, life: Life)

  /// Stores values; again for as long as is left, if a date is past by a server's clock, though not by ours.
  private func store(_ entries: [NewEntry]) async throws {
    if entries.isEmpty { return }
    if let lease = StorageLease.current, lease.isIssued(by: self) {
      return try await set(entries, under: lease)
    }
    let isLarge = entries.reduce(0) { $0 + $1.value.count } > 4 << 20
    if isLarge { try await refuseForeign(entries.map(\.key)) }
    let condition = isLarge ? nil : RedisCommand.Condition.inPlaceOfText
    guard try await storeOnce(entries, condition) else { return }
    let left = entries.map { ($0.key, $0.value, $0.life.left(by: clock) ?? $0.life) }
    _ = try await storeOnce(left, condition)
  }

  /// Stores values. Returns whether the date of one is past by a server's clock, though not by ours.
  private func storeOnce(_ entries: [NewEntry], _ condition: RedisCommand.Condition?) async throws -> Bool {
    let keys = entries.map(\.key)
    let sets = try entries.map { try write($0.value, $0.key, $0.life, condition) }
    let dated = entries.compactMap { entry in
      if case .until(let date) = entry.life { (key: entry.key, date: date) } else { nil }
    }
    // Of the entries on one server, the one that expires first tells of all.
    guard let first = dated.min(by: { $0.date < $1.date }) else {
      _ = try await sendWhole(sets, keys)
      return false
    }
    if try await !client.topology().isCluster {
      return try await sendWhole(sets + [RedisCommand("PTTL", namespace.word(first.key))], keys).last?.integer
        == -2
    }
    let checked = zip(sets, entries).map {
      RedisCommand(whole: [$0, RedisCommand("PTTL", namespace.word($1.key))])
    }
    return zip(try await sendWhole(checked, keys), entries).contains { reply, entry in
      entry.life != .over && reply.elements?.last?.integer == -2
    }
  }

  /// Throws if another program keeps a list, a hash, … under one of the keys, in one round trip for each thousand.
  ///
  /// For large values: a `SET … GET` checks as well, but returns the old values, which are probably large too. A list
  /// that is created between the check and the write is overwritten.
  private func refuseForeign(_ keys: [Key]) async throws {
    let types = try await send(
      keys.map { RedisCommand("TYPE", namespace.word($0), isIdempotent: true) })
    for (key, type) in zip(keys, types) where type != .simple("string") && type != .simple("none") {
      throw StorageError.refusal(.wrongType, by: nil).with(key: key)
    }
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
  private func sendWhole(_ commands: [RedisCommand], _ keys: [Key]) async throws -> [RESPValue] {
    let isOne = try await !client.topology().isCluster
    let replies =
      isOne && commands.count > 1 ? try await client.sendWhole(commands) : try await client.send(commands)
    // A batch that was refused as a whole has one reply.
    for (key, reply) in zip(keys, replies) {
      let refusal = reply.failure ?? reply.elements?.first?.failure
      if let refusal, refusal.code == "WRONGTYPE" {
        throw StorageError.refusal(refusal, by: nil).with(key: key)
      }
    }
    try Self.check(replies)
    return replies
  }
}
