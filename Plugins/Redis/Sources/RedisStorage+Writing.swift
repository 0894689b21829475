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
      if let lease = StorageLease.current(issuedBy: self) {
        return try await set(object, key, life, under: lease)
      }
      if object.count > Self.largeValue { return try await setLarge(object, key, life) }
      let command = try write(object, key, life, .inPlaceOfText)
      // Only a date may be past by the server's clock, though not by ours.
      if case .until = life {
        let again = try await send(command, giving: life, to: namespace.word(key)).again
        if let again { _ = try await send(write(object, key, again, .inPlaceOfText)) }
      } else if let refusal = try await client.replies(to: command).failure {
        throw StorageError.refusal(refusal, by: nil)
      }
    } catch { throw client.explained(error, "store the entry", key) }
  }

  /// Stores several values, in one round trip: on one server all or none. In a cluster, some may be stored if it
  /// throws.
  ///
  /// Throws `.malformedFileAttributes` if another program keeps a list, a hash, … under one of the keys, which stays;
  /// values of other keys may be stored then.
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
      try Self.check(await sendWhole(keys.map { RedisCommand("UNLINK", namespace.word($0)) }))
    } catch { throw client.explained(error, "remove the entries") }
  }

  /// Does nothing: the server removes expired entries itself, and never returns them.
  public func removeExpiredObjects() async throws {}

  typealias NewEntry = (key: Key, value: Data, life: Life)

  /// Stores values; again for as long as is left, if a date is past by a server's clock, though not by ours.
  private func store(_ entries: [NewEntry]) async throws {
    if entries.isEmpty { return }
    if let lease = StorageLease.current(issuedBy: self) {
      return try await set(entries, under: lease)
    }
    // The server would keep all old values in memory before it sends them.
    let isLarge = entries.reduce(0) { $0 + $1.value.count } > 4 << 20
    let checked = entries.filter { isLarge || $0.value.count > Self.largeValue }
    try await leavingForeign(checked.map(\.key)) { byScript in
      let kind = Replacing(large: isLarge ? 0 : Self.largeValue, byScript: byScript)
      guard try await storeOnce(entries, kind) else { return }
      _ = try await storeOnce(
        entries.map { ($0.key, $0.value, $0.life.left(by: clock) ?? $0.life) }, kind)
    }
  }

  /// How a batch leaves the lists of other programs alone.
  private struct Replacing {
    /// Values of more bytes are large.
    var large: Int
    /// Whether a script makes room for large values; they have been checked before otherwise.
    var byScript: Bool

    func condition(_ value: Data) -> RedisCommand.Condition? {
      value.count <= large ? .inPlaceOfText : byScript ? .inPlaceOfNothing : nil
    }
  }

  /// Stores values. Returns whether the date of one is past by a server's clock, though not by ours.
  private func storeOnce(_ entries: [NewEntry], _ kind: Replacing) async throws -> Bool {
    let conditions = entries.map { kind.condition($0.value) }
    let guarded = zip(entries, conditions).filter { $1 == .inPlaceOfNothing }.map(\.0.key)
    let dated = entries.compactMap { entry in
      if case .until(let date) = entry.life { (key: entry.key, date: date) } else { nil }
    }
    let isPlain = dated.isEmpty && guarded.isEmpty
    if try await client.topology().isCluster || isPlain && entries.count == 1 {
      return try await storeEach(entries, conditions, tellsLife: !isPlain)
    }
    let guards = guarded.parts(of: RedisClient.batchSize).map(Array.init)
    // Of the entries on one server, the one that expires first tells of all.
    let first = dated.min { $0.date < $1.date }.map { RedisCommand("PTTL", namespace.word($0.key)) }
    let values = try zip(entries, conditions).map { entry, condition in
      RedisCommand.NewValue(
        key: namespace.word(entry.key), value: StoredValue.bytes(try checked(entry.value)), life: entry.life,
        condition: condition)
    }
    let replies = try await client.send(
      transaction: RedisCommand.transaction(guards.map(makeRoom), storing: values, [first].compactMap { $0 }))
    for (keys, reply) in zip(guards, replies) { try Self.checkRoom(reply, keys) }
    try Self.check(replies.dropFirst(guards.count), entries.map(\.key))
    return first != nil && replies.last?.integer == -2
  }

  /// Stores values, each with its own commands, which return the remaining time if `tellsLife`: on the nodes of a
  /// cluster, or a single one.
  private func storeEach(
    _ entries: [NewEntry], _ conditions: [RedisCommand.Condition?], tellsLife: Bool
  ) async throws -> Bool {
    let commands = try zip(entries, conditions).map { entry, condition in
      try write(
        entry.value, entry.key, entry.life, condition,
        before: condition == .inPlaceOfNothing ? makeRoom([entry.key]) : nil,
        after: tellsLife ? RedisCommand("PTTL", namespace.word(entry.key)) : nil)
    }
    let replies = try await client.send(commands)
    try Self.check(replies[...], entries.map(\.key))
    var isPast = false
    for ((entry, condition), reply) in zip(zip(entries, conditions), replies) {
      if condition == .inPlaceOfNothing, let room = reply.elements?.first {
        try Self.checkRoom(room, [entry.key])
      }
      if tellsLife, entry.life != .over, reply.elements?.last?.integer == -2 { isPast = true }
    }
    return isPast
  }

  /// Returns the command that stores a value.
  func write(
    _ object: Data, _ key: Key, _ life: Life, _ condition: RedisCommand.Condition? = nil,
    before: RedisCommand? = nil, after: RedisCommand? = nil
  ) throws -> RedisCommand {
    let bytes = StoredValue.bytes(try checked(object))
    return RedisCommand(set: namespace.word(key), to: bytes, life, condition, before: before, after: after)
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
    return isOne && commands.count > 1
      ? try await client.sendWhole(commands) : try await client.send(commands)
  }

  /// Throws the first refusal among the replies to commands; if one refuses a list, a hash, …, with its key.
  private static func check(_ replies: ArraySlice<RESPValue>, _ keys: [Key]) throws {
    for (key, reply) in zip(keys, replies) {
      let refusal = reply.failure ?? reply.elements?.lazy.compactMap(\.failure).first
      if let refusal, refusal.code == "WRONGTYPE" {
        throw StorageError.refusal(refusal, by: nil).with(key: key)
      }
    }
    try check(replies)
  }
}
