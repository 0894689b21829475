#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Returns the bytes of an entry, which are read about a megabyte at a time, or `nil` if there is none.
  ///
  /// A value that was written as a stream is stored in parts; any other is read into memory. If a value in parts is
  /// replaced, removed or evicted meanwhile, the next part throws `.backendFailed`; a damaged part throws
  /// `.malformedFileAttributes`.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard try how.mayRead() else { return nil }
    let found: FoundParts
    do { found = try await divided(key) } catch { throw client.explained(error, "read the entry", key) }
    switch found {
    case .value(let value, let expiry): return value.bytes(range, expiry, in: RedisParts(store: self), key)
    case .absent: return nil
    case .text:
      guard let entry = try await read(key, how) else { return nil }
      return StoredBytes(entry.object, range: range, expiry: entry.expiry)
    }
  }

  /// Returns a new value, which is stored in parts if it is longer than one: in fields of a hash, so that it may be
  /// longer than the 512 MB of a string.
  ///
  /// The server removes the parts of a writer that has ended without `discard` an hour after the last of them. A commit
  /// takes two round trips. In a cluster, throws `.invalidConfiguration` if the key has a closing brace outside of
  /// braces.
  public func stage(_ key: Key, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try how.refuseAtOnce()
    do {
      let tag = KeySlot.tag(of: namespace.prefix + key.storageKey.canonicalUTF8)
      if tag.contains(UInt8(ascii: "}")), try await client.topology().isCluster {
        throw StorageError.invalidConfiguration.with(
          "the parts of the value cannot be stored in the key's slot, because the key contains a closing brace outside "
            + "of braces: choose another key")
      }
    } catch { throw client.explained(error, "store the entry", key) }
    return DividedWriter(RedisParts(store: self), key, expiry)
  }

  // MARK: Other operations on values in parts

  /// What a key holds.
  enum FoundParts {
    case value(DividedValue, Expiry)
    case absent
    /// A string, or another type until a moment ago.
    case text
  }

  /// Returns the value of a key, if it is stored in parts. Throws for a type of another program.
  func divided(_ key: Key) async throws -> FoundParts {
    let word = namespace.word(key)
    let (replies, date): ([RESPValue], DateCommand)
    do {
      (replies, date) = try await reading { date in
        [RedisCommand("HGET", word, "strata", isIdempotent: true), RedisCommand(reading: date, word)]
      }
    } catch let error as StorageError where error.isOfType {
      // A value in parts and a string may replace each other at any time.
      let type = try await send(RedisCommand("TYPE", word, isIdempotent: true))
      if type == .simple("string") || type == .simple("none") || type == .simple("hash") { return .text }
      throw error
    }
    guard let expiry = try expiry(replies[1], date) else { return .absent }
    guard let description = replies[0].bytes else { throw StorageError.refusal(.wrongType, by: nil) }
    return .value(try DividedValue(reading: description), expiry)
  }

  /// Returns the entry of a key that held no string. Throws the server's refusal if it holds no value in parts either.
  func readParts(_ key: Key) async throws -> Entry<Data>? {
    do {
      while true {
        switch try await divided(key) {
        case .absent: return nil
        case .text: return try await read(key, [])
        case .value(let value, let expiry):
          do {
            let bytes = value.bytes(nil, expiry, in: RedisParts(store: self), key)
            return Entry(object: try await bytes.data(), expiry: expiry)
          } catch let error as StorageError where error.isOfReplacement {}
        }
      }
    } catch let error as StorageError where error.key != nil { throw error } catch {
      throw client.explained(error, "read the entry", key)
    }
  }

  /// Changes the expiry of a value in parts.
  func touchParts(_ key: Key, _ life: Life, after refusal: StorageError) async throws -> Bool {
    let word = namespace.word(key)
    do {
      return try await client.transaction(
        reading: [
          RedisCommand("WATCH", word), RedisCommand("HEXISTS", word, "strata"), RedisCommand("EXISTS", word),
        ]
      ) { replies in
        if replies[2].integer == 0 { return (false, []) }
        if replies[1].integer == 0 { throw refusal }
        return (true, [life.command(for: word)])
      }
    } catch let error as StorageError where error.isOfType {
      // A string by now, or a type of another program, for which this throws.
      _ = try await divided(key)
      return try await touch(key, life)
    }
  }

  /// Returns the value in the fields of a hash, or `nil` if the hash is absent.
  static func assembled(_ reply: RESPValue) throws -> Data? {
    var parts: [String: Data] = [:]
    for (name, part) in try pairs(reply) { parts[name] = part }
    if parts.isEmpty { return nil }
    guard let description = parts["strata"] else { throw StorageError.refusal(.wrongType, by: nil) }
    let value = try DividedValue(reading: description)
    let numbers = 0..<value.partCount
    guard let data = try value.assembled(numbers, numbers.map { parts["\($0)"] }) else {
      throw value.incomplete
    }
    return data
  }

  /// Returns the fields in a reply, which is a map in the newer protocol, and an array of names and values in the
  /// older.
  private static func pairs(_ reply: RESPValue) throws -> [(String, Data)] {
    guard let elements = reply.elements, elements.count % 2 == 0 else { throw StorageError.unread(reply) }
    return try stride(from: 0, to: elements.count, by: 2).map { index in
      guard let name = elements[index].text, let part = elements[index + 1].bytes else {
        throw StorageError.unread(reply)
      }
      return (name, part)
    }
  }
}
