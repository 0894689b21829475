#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage: ConditionalStorage {
  /// Stores bytes if nothing is stored under the key, in one round trip: of all machines that try at a time, one does.
  /// Without an expiry that of the store applies.
  ///
  /// Returns whether it was stored. If the connection is lost before the reply, it throws `.backendFailed`: the value
  /// may be stored, or not.
  public func setIfAbsent(_ object: Data, forKey key: Key, expiry: Expiry?) async throws -> Bool {
    do {
      let life = Life(expiry ?? self.expiry, by: clock)
      let (reply, again) = try await send(
        write(object, key, life, .inPlaceOfNothing), giving: life, to: namespace.word(key))
      guard let again, reply != .null else { return reply != .null }
      return try await send(write(object, key, again, .inPlaceOfNothing)) != .null
    } catch { throw client.explained(error, "store the entry", key) }
  }

  /// Changes when an entry expires, in one round trip, and leaves the value as it is. Returns `false` if nothing is
  /// stored.
  ///
  /// Throws `.malformedFileAttributes` where somebody keeps a list, a hash, … under the key, which stays as it is. The
  /// server sends the value along, so on large values it takes as long as to read them.
  public func touch(forKey key: Key, expiry: Expiry) async throws -> Bool {
    do {
      let word = namespace.word(key)
      let life = Life(expiry, by: clock)
      let words = life == .endless ? ["PERSIST"] : life.words
      let (reply, again) = try await send(RedisCommand("GETEX", [word] + words), giving: life, to: word)
      guard let bytes = reply.bytes else { return false }
      if let again { _ = try await send(RedisCommand(set: word, to: bytes, again, .inPlaceOfNothing)) }
      // Earlier versions have put the old date behind the value: it goes.
      if StoredValue.isDated(bytes) { try await update(forKey: key) { _ in } }
      return true
    } catch { throw client.explained(error, "change the expiry", key) }
  }
}

extension RedisStorage: CountingStorage {
  /// Adds to the number that is stored under a key as digits, in one round trip, and returns the sum.
  ///
  /// What is absent counts as 0, and expires as new entries of the store do; what is there keeps its expiry. Throws
  /// `.typeNotMatch`, and changes nothing, if what is stored is no whole number, or the sum has more than 64 bits. If
  /// the connection is lost before the reply, it throws `.backendFailed`: it may have been added, or not.
  public func increment(forKey key: Key, by amount: Int) async throws -> Int {
    do {
      let word = namespace.word(key)
      let add = RedisCommand("INCRBY", word, .integer(amount))
      // For as long as it is until a date: one that is past to the server alone would end the counter at its first
      // step.
      let own = Life(expiry, by: clock)
      let life = own.left(by: clock) ?? own
      var reply: RESPValue
      if life == .endless {
        reply = try await client.send(add)
      } else {
        // A new one begins at nothing, with its date.
        let begin = RedisCommand("SET", [word, "0"] + life.words + ["NX"])
        reply = try await send(RedisCommand(whole: [begin, add]))
        guard let sum = reply.elements?.last else { throw StorageError.unread(reply) }
        reply = sum
      }
      if let refusal = reply.failure { throw StorageError.notCounted(refusal) }
      guard case .integer(let sum) = reply else { throw StorageError.unread(reply) }
      return sum
    } catch { throw client.explained(error, "count", key) }
  }
}

extension StorageError {
  fileprivate static func notCounted(_ refusal: RedisReplyError) -> StorageError {
    guard refusal.code == "ERR",
      refusal.message.contains("not an integer") || refusal.message.contains("overflow")
    else { return .refusal(refusal, by: nil) }
    return .typeNotMatch.with(
      "what is stored is no whole number of 64 bits, or the sum is none (\(refusal.message))", cause: refusal)
  }
}
