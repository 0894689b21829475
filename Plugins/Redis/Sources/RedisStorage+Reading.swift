#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Returns the entry of a key, with the server's expiry, or `nil`. Takes one round trip. If only the expiry is
  /// wanted, the server does not send the value.
  ///
  /// It sends two commands. If the server executes another client's write between them, the result has the old value
  /// and the new expiry. `objectIfPresent` needs only one command.
  public func read(_ key: Key, _ how: How) async throws -> Entry<Data>? {
    guard try how.mayRead() else { return nil }
    do {
      let word = namespace.word(key)
      if how.contains(.expiryOnly) {
        let (replies, date) = try await reading { [RedisCommand(reading: $0, word)] }
        return try expiry(replies[0], date).map { Entry(expiry: $0) }
      }
      while true {
        let date = client.dateCommand
        let replies = try await client.replies(to: RedisCommand(reading: "GET", date, word), reads: true)
        switch replies {
        case .two(let value, let expiry): return try entry(value, expiry, date)
        case .one(.array(let parts)) where parts.count == 2: return try entry(parts[0], parts[1], date)
        case .one(.error(let refusal)): try client.replace(date, after: refusal)
        default: throw StorageError.unread(replies.only)
        }
      }
    } catch let error as StorageError where error.isOfType {
      return try await readParts(key)
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// Returns the value of a key. Throws `.notFound` if there is none or it has expired.
  ///
  /// Only the value is requested, which is cheaper than the entry: the server does not return expired values.
  public func object(forKey key: Key) async throws -> Data {
    guard let object = try await objectIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  /// Returns the value of a key, or `nil` if there is none or it has expired.
  ///
  /// Only the value is requested, which is cheaper than the entry: the server does not return expired values.
  public func objectIfPresent(forKey key: Key) async throws -> Data? {
    do {
      let get = RedisCommand("GET", namespace.word(key), isIdempotent: true)
      let reply = try await client.replies(to: get, reads: true).only
      if let refusal = reply.failure { throw StorageError.refusal(refusal, by: nil) }
      guard let bytes = reply.bytes else { return nil }
      let stored = RedisValue.entry(bytes)
      return stored.expiry.isExpired(by: clock) ? nil : stored.object
    } catch let error as StorageError where error.isOfType {
      return try await readParts(key)?.object
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// Reads several keys, in one round trip to each of their servers. Other clients may write between the reads.
  public func read(_ keys: [Key], _ how: How) async throws -> [Key: Entry<Data>] {
    if !how.allowsBatch { return try await readEach(keys, how) }
    do {
      let keys = Array(Set(keys))
      let isCluster = try await client.topology().isCluster
      var found: [Key: Entry<Data>] = [:]
      found.reserveCapacity(keys.count)
      // One server returns many keys with one command; a thousand at a time, so that it can serve other clients in
      // between.
      for part in keys.parts(of: RedisClient.batchSize) {
        if isCluster { try await readEach(part, into: &found) } else { try await read(part, into: &found) }
      }
      return found
    } catch { throw client.explained(error, "read the entries") }
  }

  /// Reads keys of one server with one command. If the reply is too large, each half of the keys is read separately.
  private func read(_ keys: ArraySlice<Key>, into found: inout [Key: Entry<Data>]) async throws {
    let words = keys.map(namespace.word)
    let (replies, date): ([RESPValue], DateCommand)
    do {
      if let values = try await undatedValues(words) {
        // By index: iterating two collections of unknown type together takes as long as reading the keys.
        for index in values.indices {
          if let bytes = values[index].bytes {
            found[keys[keys.startIndex + index]] = RedisValue.entry(bytes)
          }
        }
        return
      }
      (replies, date) = try await reading { [RedisCommand(reading: "MGET", $0, words)] }
    } catch let error as StorageError where error == .tooLarge && keys.count > 1 {
      let middle = keys.startIndex + keys.count / 2
      try await read(keys[..<middle], into: &found)
      return try await read(keys[middle...], into: &found)
    }
    guard let parts = replies[0].elements, parts.count == keys.count + 1, let values = parts[0].elements,
      values.count == keys.count
    else { throw StorageError.unread(replies[0]) }
    for index in values.indices {
      let key = keys[keys.startIndex + index]
      do { found[key] = try entry(values[index], parts[index + 1], date) } catch let error as StorageError
        where error.isOfType
      {
        found[key] = try await readParts(key)
      } catch {
        throw client.explained(error, "read the entry", key)
      }
    }
  }

  /// Reads keys of several servers, each key by separate commands.
  private func readEach(_ keys: ArraySlice<Key>, into found: inout [Key: Entry<Data>]) async throws {
    let words = keys.map(namespace.word)
    let (replies, date): ([RESPValue], DateCommand)
    do {
      (replies, date) = try await reading { date in words.map { RedisCommand(reading: "GET", date, $0) } }
    } catch let error as StorageError where error.isOfType {
      // Some of the values may be stored in parts.
      for key in keys { found[key] = try await read(key, []) }
      return
    }
    for (key, reply) in zip(keys, replies) {
      guard let parts = reply.elements, parts.count == 2 else { throw StorageError.unread(reply) }
      do { found[key] = try entry(parts[0], parts[1], date) } catch {
        throw client.explained(error, "read the entry", key)
      }
    }
  }
}

extension RedisStorage {
  /// Returns the replies to commands that read expiries.
  func reading(_ commands: (DateCommand) -> [RedisCommand]) async throws -> (
    replies: [RESPValue], date: DateCommand
  ) {
    while true {
      let date = client.dateCommand
      let replies = try await client.send(commands(date), reads: true)
      guard let refusal = replies.lazy.compactMap(\.failure).first else { return (replies, date) }
      try client.replace(date, after: refusal)
    }
  }

  /// Returns the entry made of the server's replies for a value and its expiry, or `nil` if there is none.
  private func entry(_ value: RESPValue, _ expiry: RESPValue, _ date: DateCommand) throws -> Entry<Data>? {
    let expiry = try self.expiry(expiry, date)
    if let refusal = value.failure { throw StorageError.refusal(refusal, by: nil) }
    guard let bytes = value.bytes else {
      // In a batch, a key that holds no string has no value, but an expiry.
      if expiry != nil { throw StorageError.refusal(.wrongType, by: nil) }
      return nil
    }
    guard let expiry else { return nil }
    let stored = RedisValue.entry(bytes)
    return Entry(object: stored.object, expiry: stored.expiry.earlier(expiry))
  }

  /// Decodes the server's reply for an expiry; `nil` if there is no entry.
  func expiry(_ reply: RESPValue, _ date: DateCommand) throws -> Expiry? {
    if let refusal = reply.failure { throw StorageError.refusal(refusal, by: nil) }
    guard let milliseconds = reply.integer else { throw StorageError.unread(reply) }
    switch milliseconds {
    case -2: return nil
    case ..<0: return .never
    default: return date.expiry(milliseconds, clock)
    }
  }
}

extension StorageError {
  /// The error for a reply of the wrong type for its command.
  static func unread(_ reply: RESPValue) -> StorageError {
    .backendFailed.with(
      "the reply was not sent by a Redis server: check the address",
      cause: RedisConnectionError.malformedReply(String("\(reply)".prefix(80))))
  }
}

extension Expiry {
  /// Returns the earlier of two expiries.
  fileprivate func earlier(_ other: Expiry) -> Expiry {
    guard case .date(let own) = self else { return other }
    guard case .date(let others) = other else { return self }
    return .date(min(own, others))
  }
}
