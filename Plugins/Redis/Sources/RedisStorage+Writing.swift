#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore
import Synchronization

extension RedisStorage {
  /// Changes one key, in one round trip, and returns whether it was changed. Without an expiry, the store's default
  /// applies. The server frees the memory of a large removed value later.
  ///
  /// Throws `.tooLarge` for more than 512 MB, the limit of a server. Throws `.malformedFileAttributes`, and changes
  /// nothing, if another program has stored a list, a hash, … under the key. If the server refuses the write because it
  /// is full or read-only, the old value is still there.
  ///
  /// A write is sent once. If the connection is lost before the reply, it throws `.backendFailed`: the change may or
  /// may not be made.
  @discardableResult
  public func change(_ key: Key, _ change: StoreChange<Data>, _ how: How) async throws -> Bool {
    try how.refuseAtOnce()
    do {
      switch change.kind {
      case .set(let expiry), .replace(let expiry):
        let life = Life(expiry ?? self.expiry, by: clock)
        do { try await store(change.object, key, life) } catch let error as StorageError where error.isOfType
        {
          // Perhaps a value in parts, which only this way of writing replaces.
          try await setLarge(change.object, key, life)
        }
      case .setIfAbsent(let expiry):
        return try await storeIfAbsent(change.object, key, Life(expiry ?? self.expiry, by: clock))
      case .touch(let expiry): return try await touch(key, Life(expiry, by: clock))
      case .remove: _ = try await send(RedisCommand("UNLINK", namespace.word(key)))
      case .forget: break
      }
      return true
    } catch { throw client.explained(error, change.kind.aim, key) }
  }

  private func store(_ object: Data, _ key: Key, _ life: Life) async throws {
    if let lease = StorageLease.current(issuedBy: self) {
      return try await set(object, key, life, under: lease)
    }
    if object.count > Self.largeValue { return try await setLarge(object, key, life) }
    let isForEver = life == .endless && client.mayGetAndSet.load(ordering: .relaxed)
    let command = try write(object, key, life, isForEver ? .inPlaceOfTextForEver : .inPlaceOfText)
    // A date may be past by the server's clock but not by this machine's.
    if case .until = life {
      let again = try await send(command, giving: life, to: namespace.word(key)).again
      if let again { _ = try await send(write(object, key, again, .inPlaceOfText)) }
    } else if let refusal = try await client.replies(to: command).failure {
      guard isForEver, refusal.code == "NOPERM" else { throw StorageError.refusal(refusal, by: nil) }
      _ = try await send(write(object, key, life, .inPlaceOfText))
      client.mayGetAndSet.store(false, ordering: .relaxed)
    }
  }

  /// Changes several keys, in one round trip: on one server all or none. In a cluster, some may be changed if the call
  /// throws.
  ///
  /// Throws `.malformedFileAttributes` if another program has stored a list, a hash, … under one of the keys. It is not
  /// replaced; values of other keys may be stored.
  public func change(_ batch: StoreBatch<Key, Data>, _ how: How) async throws {
    try how.refuseAtOnce()
    do {
      var new = Batch(batch.count)
      switch batch {
      case .set(let objects, let expiry):
        let life = Life(expiry ?? self.expiry, by: clock)
        for (key, object) in objects { try add(object, key, life, to: &new) }
      case .setEntries(let entries):
        for (key, entry) in entries { try add(entry.object, key, Life(entry.expiry, by: clock), to: &new) }
      case .remove(let keys):
        return try Self.check(await sendWhole(keys.map { RedisCommand("UNLINK", namespace.word($0)) })[...])
      }
      do { try await store(new) } catch let error as StorageError where error.isOfType {
        // Perhaps a value in parts, which only this way of writing replaces.
        try await store(new, replacingParts: true)
      }
    } catch { throw client.explained(error, batch.aim) }
  }

  /// Values to be stored, and their keys.
  ///
  /// Two arrays, since this code is compiled once for all types of keys: for an array of tuples, the type of each tuple
  /// would be looked up, which takes longer than the rest.
  struct Batch {
    var keys: [Key] = []
    var values: [RedisCommand.NewValue] = []

    init(_ count: Int) {
      keys.reserveCapacity(count)
      values.reserveCapacity(count)
    }
  }

  private func add(_ object: Data, _ key: Key, _ life: Life, to batch: inout Batch) throws {
    batch.keys.append(key)
    batch.values.append(try new(object, key, life))
  }

  /// Stores values. If a date is past by the server's clock but not by this machine's, stores them again with
  /// durations.
  private func store(_ batch: Batch, replacingParts: Bool = false) async throws {
    if batch.keys.isEmpty { return }
    if let lease = StorageLease.current(issuedBy: self) {
      return try await set(batch, under: lease)
    }
    // The server would keep all old values in memory before it sends them.
    let isLarge = batch.values.reduce(0) { $0 + $1.value.count } > 4 << 20
    let largest = replacingParts ? -1 : isLarge ? 0 : Self.largeValue
    let checked = batch.values.indices.filter { isLarge || batch.values[$0].value.count > largest }
    try await leavingForeign(checked.map { batch.keys[$0] }) { byScript in
      var batch = batch
      for index in batch.values.indices {
        let isSmall = batch.values[index].value.count <= largest
        batch.values[index].condition = isSmall ? .inPlaceOfText : byScript ? .inPlaceOfNothing : nil
      }
      guard try await storeOnce(batch) else { return }
      for index in batch.values.indices {
        batch.values[index].life = batch.values[index].life.left(by: clock) ?? batch.values[index].life
      }
      _ = try await storeOnce(batch)
    }
  }

  /// Stores values. Returns whether one of their dates is past by the server's clock but not by this machine's.
  private func storeOnce(_ batch: Batch) async throws -> Bool {
    let values = batch.values
    let guarded = values.indices.filter { values[$0].condition == .inPlaceOfNothing }.map { batch.keys[$0] }
    let dated = values.compactMap { value in
      if case .until(let date) = value.life { (key: value.key, date: date) } else { nil }
    }
    let isPlain = dated.isEmpty && guarded.isEmpty
    if try await client.topology().isCluster || isPlain && values.count == 1 {
      return try await storeEach(batch, tellsLife: !isPlain)
    }
    let guards = guarded.parts(of: RedisClient.batchSize).map(Array.init)
    // The reply to the entry that expires first shows whether the others have expired by the server's clock.
    let first = dated.min { $0.date < $1.date }.map { RedisCommand("PTTL", $0.key) }
    let replies = try await client.send(
      transaction: RedisCommand.transaction(guards.map(makeRoom), storing: values, [first].compactMap { $0 }))
    for (keys, reply) in zip(guards, replies) { try Self.checkRoom(reply, keys) }
    try Self.check(replies.dropFirst(guards.count), batch.keys)
    return first != nil && replies.last?.integer == -2
  }

  /// Stores values, each with its own commands, which return the remaining time if `tellsLife`: on the nodes of a
  /// cluster, or a single one.
  private func storeEach(_ batch: Batch, tellsLife: Bool) async throws -> Bool {
    let commands = batch.values.indices.map { index in
      let value = batch.values[index]
      return RedisCommand(
        value, before: value.condition == .inPlaceOfNothing ? makeRoom([batch.keys[index]]) : nil,
        after: tellsLife ? RedisCommand("PTTL", value.key) : nil)
    }
    let replies = try await client.send(commands)
    try Self.check(replies[...], batch.keys)
    var isPast = false
    for index in batch.values.indices {
      let (value, reply) = (batch.values[index], replies[index])
      if value.condition == .inPlaceOfNothing, let room = reply.elements?.first {
        try Self.checkRoom(room, [batch.keys[index]])
      }
      if tellsLife, value.life != .over, reply.elements?.last?.integer == -2 { isPast = true }
    }
    return isPast
  }

  /// Returns the command that stores a value.
  func write(_ object: Data, _ key: Key, _ life: Life, _ condition: RedisCommand.Condition?) throws
    -> RedisCommand
  {
    RedisCommand(try new(object, key, life, condition))
  }

  /// Returns a value to be stored.
  func new(_ object: Data, _ key: Key, _ life: Life, _ condition: RedisCommand.Condition? = nil) throws
    -> RedisCommand.NewValue
  {
    RedisCommand.NewValue(
      key: namespace.word(key), value: RedisValue.bytes(try checked(object)), life: life,
      condition: condition)
  }

  /// Returns a value, or throws if a server cannot store it.
  func checked(_ object: Data) throws(StorageError) -> Data {
    // By default, servers close the connection if a value is longer.
    if object.count > 512 << 20 - 64 {
      throw .tooLarge.with(
        "\(object.count) bytes are more than the 512 MB that a server stores under a key; divide the value")
    }
    return object
  }

  /// Sends writes together: to one server as a transaction, to the nodes of a cluster concurrently.
  private func sendWhole(_ commands: [RedisCommand]) async throws -> [RESPValue] {
    let isOne = try await !client.topology().isCluster
    return isOne && commands.count > 1
      ? try await client.sendWhole(commands) : try await client.send(commands)
  }

  /// Throws the first refusal among the replies to commands; if a command was refused because of a list, a hash, …, the
  /// error names its key.
  private static func check(_ replies: ArraySlice<RESPValue>, _ keys: [Key]) throws {
    // Iterates by index, which is faster than over tuples, as in `Batch`.
    for (index, reply) in replies.prefix(keys.count).enumerated() {
      let refusal = reply.failure ?? reply.elements?.lazy.compactMap(\.failure).first
      if let refusal, refusal.code == "WRONGTYPE" {
        throw StorageError.refusal(refusal, by: nil).with(key: keys[index])
      }
    }
    try check(replies)
  }
}
