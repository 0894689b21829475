#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension RedisStorage: ConditionalStorage {
  /// Stores bytes if the key has no value. Of concurrent callers on all machines, one succeeds.
  func storeIfAbsent(_ object: Data, _ key: Key, _ life: Life) async throws -> Bool {
    let (reply, again) = try await send(
      write(object, key, life, .inPlaceOfNothing), giving: life, to: namespace.word(key))
    guard let again, reply != .null else { return reply != .null }
    return try await send(write(object, key, again, .inPlaceOfNothing)) != .null
  }

  /// Changes the expiry of an entry without changing its value. Returns `false` if there is no entry.
  ///
  /// Throws `.malformedFileAttributes`, and changes nothing, if another program has stored a list, a hash, … under the
  /// key. The server also sends the value, so it takes as long as reading it.
  func touch(_ key: Key, _ life: Life) async throws -> Bool {
    let word = namespace.word(key)
    let words = life == .endless ? ["PERSIST"] : life.words
    let (reply, again): (RESPValue, Life?)
    do {
      (reply, again) = try await send(RedisCommand("GETEX", [word] + words), giving: life, to: word)
    } catch let error as StorageError where error.isOfType {
      return try await touchParts(key, life, after: error)
    }
    guard let bytes = reply.bytes else { return false }
    if let again { _ = try await send(RedisCommand(set: word, to: bytes, again, .inPlaceOfNothing)) }
    // Earlier versions appended the expiry date to the value: rewrite the value without it.
    if RedisValue.isDated(bytes) { try await update(forKey: key) { _ in } }
    return true
  }
}

extension RedisStorage: CountingStorage {
  /// Adds to a number that is stored as digits, in one round trip, and returns the sum.
  ///
  /// An absent number counts as 0, and gets the store's default expiry; an existing one keeps its expiry. Throws
  /// `.typeNotMatch`, and changes nothing, if the value is not an integer or the sum exceeds 64 bits. If the connection
  /// is lost before the reply, it throws `.backendFailed`: the amount may or may not have been added.
  public func increment(forKey key: Key, by amount: Int) async throws -> Int {
    do {
      let word = namespace.word(key)
      let add = RedisCommand("INCRBY", word, .integer(amount))
      // A duration instead of a date: a date that is past only by the server's clock would end the counter at once.
      let own = Life(expiry, by: clock)
      let life = own.left(by: clock) ?? own
      var reply: RESPValue
      if life == .endless {
        reply = try await client.send(add)
      } else {
        // Creates the counter with its expiry, if it is absent.
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
      "the stored value, or the sum, is not an integer of 64 bits (\(refusal.message))", cause: refusal)
  }
}
