#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Reads what is stored, or `nil`, in one round trip.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Data>? {
    do {
      return try await send(RedisCommand("GET", namespace.word(key), isIdempotent: true), reads: true).bytes
        .map(StoredValue.entry)
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// The expiry of what is stored, or `nil`, as the server has it. Does not read the value; before Redis 7 it does.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    do {
      let reply = try await client.send(
        RedisCommand("PEXPIRETIME", namespace.word(key), isIdempotent: true), reads: true)
      if let refusal = reply.failure {
        guard refusal.message.hasPrefix("ERR unknown command") else {
          throw StorageError.refusal(refusal, by: nil)
        }
        return try await entryIfPresent(forKey: key)?.expiry
      }
      guard let milliseconds = reply.integer else { throw StorageError.unread(reply) }
      // The server's own way to say: nothing is there; it never expires.
      return milliseconds == -2 ? nil : Expiry(millisecondsSince1970: milliseconds < 0 ? nil : milliseconds)
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// Reads many keys, in one round trip to each server that has some of them. Writes of others may come between.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Data>] {
    do {
      let keys = Array(Set(keys))
      let words = keys.map(namespace.word)
      let isCluster = try await client.known().topology.isCluster
      // One server answers many keys with one command; a thousand at a time, so that others get a word in.
      let commands: [RedisCommand] =
        if isCluster { words.map { RedisCommand("GET", $0, isIdempotent: true) } } else {
          stride(from: 0, to: words.count, by: 1000).map {
            RedisCommand("MGET", Array(words[$0..<min($0 + 1000, words.count)]), isIdempotent: true)
          }
        }
      let replies = try await send(commands, reads: true)
      let values = isCluster ? replies : replies.flatMap { $0.elements ?? [] }
      guard values.count == keys.count else { throw StorageError.unread(.array(values)) }
      var found: [Key: Entry<Data>] = [:]
      for (key, value) in zip(keys, values) { found[key] = value.bytes.map(StoredValue.entry) }
      return found
    } catch { throw client.explained(error, "read the entries") }
  }
}

extension StorageError {
  /// A reply that is not of the kind that its command has.
  static func unread(_ reply: RESPValue) -> StorageError {
    .backendFailed.with(
      "the server answered something else than Redis does; is it one?",
      cause: RedisConnectionError.malformedReply(String("\(reply)".prefix(80))))
  }
}
