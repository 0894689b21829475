#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Reads what is stored, or `nil`, and when the server lets it expire, in one round trip.
  ///
  /// These are two commands. A server that takes up somebody else's write between them answers with the value that was
  /// there before, and the date of the one that came. `objectIfPresent` needs one alone.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Data>? {
    do {
      let word = namespace.word(key)
      while true {
        let ask = client.dateCommand
        let replies = try await client.replies(to: RedisCommand(reading: "GET", ask.name, word), reads: true)
        switch replies {
        case .two(let value, let date): return try entry(value, date)
        case .one(.array(let parts)) where parts.count == 2: return try entry(parts[0], parts[1])
        case .one(.error(let refusal)):
          if !client.isUnknown(ask, by: refusal) { throw StorageError.refusal(refusal, by: nil) }
        default: throw StorageError.unread(replies.only)
        }
      }
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// Reads a value; throws `.notFound` where there is none or it has expired.
  ///
  /// Asks the server for the value alone, which is cheaper than to ask for the entry: what has expired, it does not
  /// show.
  public func object(forKey key: Key) async throws -> Data {
    guard let object = try await objectIfPresent(forKey: key) else {
      throw StorageError.notFound.with(key: key)
    }
    return object
  }

  /// Reads a value; `nil` where there is none or it has expired.
  ///
  /// Asks the server for the value alone, which is cheaper than to ask for the entry: what has expired, it does not
  /// show.
  public func objectIfPresent(forKey key: Key) async throws -> Data? {
    do {
      let get = RedisCommand("GET", namespace.word(key), isIdempotent: true)
      let reply = try await client.replies(to: get, reads: true).only
      if let refusal = reply.failure { throw StorageError.refusal(refusal, by: nil) }
      guard let bytes = reply.bytes else { return nil }
      let stored = StoredValue.entry(bytes)
      return stored.expiry.isExpired(by: clock) ? nil : stored.object
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// The expiry of what is stored, or `nil`, as the server has it. Does not read the value.
  public func expiryIfPresent(forKey key: Key) async throws -> Expiry? {
    do {
      let word = namespace.word(key)
      return try expiry(await reading { RedisCommand($0, word, isIdempotent: true) })
    } catch { throw client.explained(error, "read the entry", key) }
  }

  /// Reads many keys, in one round trip to each server that has some of them. Writes of others may come between.
  public func entries(forKeys keys: [Key]) async throws -> [Key: Entry<Data>] {
    do {
      let keys = Array(Set(keys))
      let isCluster = try await client.topology().isCluster
      var found: [Key: Entry<Data>] = [:]
      found.reserveCapacity(keys.count)
      // One server answers many keys with one command; a thousand at a time, so that others get a word in.
      for start in stride(from: 0, to: keys.count, by: RedisClient.batchSize) {
        let part = keys[start..<min(start + RedisClient.batchSize, keys.count)]
        if isCluster { try await readEach(part, into: &found) } else { try await read(part, into: &found) }
      }
      return found
    } catch { throw client.explained(error, "read the entries") }
  }

  /// Reads keys that one server has with one command. What is too large for one reply is read in halves.
  private func read(_ keys: ArraySlice<Key>, into found: inout [Key: Entry<Data>]) async throws {
    let words = keys.map(namespace.word)
    let reply: RESPValue
    do {
      if let values = try await undatedValues(words) {
        // By number: to go through two of unknown kind together takes as long as to read them.
        for index in values.indices {
          if let bytes = values[index].bytes {
            found[keys[keys.startIndex + index]] = StoredValue.entry(bytes)
          }
        }
        return
      }
      reply = try await reading { date in
        RedisCommand(reading: "MGET", date, words)
      }
    } catch let error as StorageError where error == .tooLarge && keys.count > 1 {
      let middle = keys.startIndex + keys.count / 2
      try await read(keys[..<middle], into: &found)
      return try await read(keys[middle...], into: &found)
    }
    guard let parts = reply.elements, parts.count == keys.count + 1, let values = parts[0].elements,
      values.count == keys.count
    else { throw StorageError.unread(reply) }
    for index in values.indices {
      let key = keys[keys.startIndex + index]
      do { found[key] = try entry(values[index], parts[index + 1]) } catch {
        throw client.explained(error, "read the entry", key)
      }
    }
  }

  /// Reads keys that several servers have, each by itself.
  private func readEach(_ keys: ArraySlice<Key>, into found: inout [Key: Entry<Data>]) async throws {
    let words = keys.map(namespace.word)
    let replies = try await replies { date in
      words.map { RedisCommand(reading: "GET", date, $0) }
    }
    for (key, reply) in zip(keys, replies) {
      guard let parts = reply.elements, parts.count == 2 else { throw StorageError.unread(reply) }
      do { found[key] = try entry(parts[0], parts[1]) } catch {
        throw client.explained(error, "read the entry", key)
      }
    }
  }
}

extension RedisStorage {
  /// The reply to a command that asks for a date.
  private func reading(_ command: (_ date: StaticString) -> RedisCommand) async throws -> RESPValue {
    while true {
      let date = client.dateCommand
      let reply = try await client.send(command(date.name), reads: true)
      guard let refusal = reply.failure else { return reply }
      if !client.isUnknown(date, by: refusal) { throw StorageError.refusal(refusal, by: nil) }
    }
  }

  private func replies(_ commands: (_ date: StaticString) -> [RedisCommand]) async throws -> [RESPValue] {
    while true {
      let date = client.dateCommand
      let replies = try await client.send(commands(date.name), reads: true)
      guard let refusal = replies.lazy.compactMap(\.failure).first else { return replies }
      if !client.isUnknown(date, by: refusal) { throw StorageError.refusal(refusal, by: nil) }
    }
  }

  /// The entry that a value and its date are, as the server has them; `nil` if there is none.
  private func entry(_ value: RESPValue, _ date: RESPValue) throws -> Entry<Data>? {
    let expiry = try expiry(date)
    if let refusal = value.failure { throw StorageError.refusal(refusal, by: nil) }
    guard let bytes = value.bytes else {
      // Where several are read, what is no string has no value, and a date.
      if expiry != nil { throw StorageError.refusal(.wrongType, by: nil) }
      return nil
    }
    guard let expiry else { return nil }
    let stored = StoredValue.entry(bytes)
    return Entry(object: stored.object, expiry: stored.expiry.earlier(expiry))
  }

  /// What a server says of when an entry expires; `nil` if there is none.
  private func expiry(_ reply: RESPValue) throws -> Expiry? {
    if let refusal = reply.failure { throw StorageError.refusal(refusal, by: nil) }
    guard let milliseconds = reply.integer else { throw StorageError.unread(reply) }
    switch milliseconds {
    case -2: return nil
    case ..<0: return .never
    default: return client.dateCommand.expiry(milliseconds, clock)
    }
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

extension Expiry {
  /// The one that comes first, of two dates.
  fileprivate func earlier(_ other: Expiry) -> Expiry {
    guard case .date(let own) = self else { return other }
    guard case .date(let others) = other else { return self }
    return .date(min(own, others))
  }
}
