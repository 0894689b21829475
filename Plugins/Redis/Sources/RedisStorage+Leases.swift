#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

/// Leases of keys among all machines that share the server. Each lease is a key of the server that expires by itself.
///
/// The lease's key is the entry's key with the prefix `::lease:` and the entry's tag, in the same slot of a cluster. So
/// a script accesses both atomically. A lease can be lost like any acknowledged write: a replica that takes over may
/// not have received it.
extension RedisStorage: StorageLeasing {
  /// The store itself, which issues the leases.
  public var leases: (any StorageLeasing<Key>)? { self }

  /// Acquires the lease of a key, in one round trip. Returns `nil` while another machine holds it.
  public func acquire(_ key: Key, for time: Duration) async throws -> StorageLease? {
    do {
      let lease = StorageLease(issuer: self)
      let reply = try await send(
        RedisCommand(
          "SET", [try leaseWord(key), Self.word(lease), "NX", "PX", Self.milliseconds(time)]))
      return reply == .null ? nil : lease
    } catch { throw client.explained(error, "acquire the lease", key) }
  }

  /// Extends a lease to `time` from now, in one round trip. Returns `false` if it had expired.
  public func extend(_ lease: StorageLease, of key: Key, for time: Duration) async throws -> Bool {
    do {
      let script =
        "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
        + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])"
      let reply = try await run(script, [try leaseWord(key)], [Self.word(lease), Self.milliseconds(time)])
      return reply.integer == 1
    } catch { throw client.explained(error, "extend the lease", key) }
  }

  /// Releases a lease, in one round trip. Has no effect if it has expired, or if another machine has acquired it since.
  public func release(_ lease: StorageLease, of key: Key) async throws {
    do {
      let script =
        "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end "
        + "return redis.call('DEL', KEYS[1])"
      _ = try await run(script, [try leaseWord(key)], [Self.word(lease)])
    } catch { throw client.explained(error, "release the lease", key) }
  }

  /// Stores bytes if a lease is still held. The server checks the lease and stores the bytes in one step.
  func set(_ object: Data, _ key: Key, _ life: Life, under lease: StorageLease) async throws {
    let script =
      "if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end "
      // Refuses to replace a list, a hash, … of another program.
      + "local text = redis.pcall('STRLEN', KEYS[1]) if type(text) == 'table' "
      + "and redis.pcall('HEXISTS', KEYS[1], 'strata') ~= 1 then return text end "
      + "redis.call('SET', KEYS[1], ARGV[2], unpack(ARGV, 3)) return 1"
    let value = RedisCommand.Word.bytes(RedisValue.bytes(try checked(object)))
    let reply = try await run(
      script, [namespace.word(key), try leaseWord(key)], [Self.word(lease), value] + life.words)
    if reply.integer != 1 { throw StorageError.leaseLost }
  }

  /// Stores values if the lease of one of their keys is still held. The check and the writes are one transaction, and
  /// take three round trips.
  func set(_ batch: Batch, under lease: StorageLease) async throws {
    let words = batch.values.map(\.key)
    let leases = try batch.keys.map(leaseWord)
    if try await client.topology().isCluster {
      let slots = Set(batch.keys.map { KeySlot(of: namespace.prefix + $0.storageKey.canonicalUTF8) })
      if slots.count > 1 {
        throw StorageError.invalidConfiguration.with(
          "a batch under a lease can be stored only in one slot of a cluster: store the entries one by one")
      }
    }
    // A duration instead of a date, which may be past by the server's clock only.
    let sets = batch.values.map {
      RedisCommand(set: $0.key, to: $0.value, $0.life.left(by: clock) ?? $0.life)
    }
    let token = "\(lease.token)"
    // STRLEN refuses lists, hashes, … of other programs.
    let reading =
      [RedisCommand("WATCH", leases + words)] + leases.map { RedisCommand("GET", $0) }
      + words.map { RedisCommand("STRLEN", $0) }
    try await client.transaction(reading: reading) { replies in
      guard replies.dropFirst().prefix(leases.count).contains(where: { $0.text == token }) else {
        throw StorageError.leaseLost
      }
      return ((), sets)
    }
  }

  private func run(
    _ script: String, _ keys: [RedisCommand.Word], _ arguments: [RedisCommand.Word]
  ) async throws -> RESPValue {
    try await send(
      RedisCommand("EVAL", [.text(script), .integer(keys.count)] + keys + arguments, keyIndex: 2))
  }

  private static func word(_ lease: StorageLease) -> RedisCommand.Word { .text("\(lease.token)") }

  private static func milliseconds(_ time: Duration) -> RedisCommand.Word {
    .integer(max(Int(time / .milliseconds(1)), 1))
  }

  /// Returns the key of a lease: in the slot of the entry's key, and different from the keys of all stores.
  func leaseWord(_ key: Key) throws(StorageError) -> RedisCommand.Word {
    let word = namespace.prefix + key.storageKey.canonicalUTF8
    let tag = KeySlot.tag(of: word)
    if tag.contains(UInt8(ascii: "}")) {
      throw .invalidConfiguration.with(
        "a lease of this key cannot be stored in the key's slot, because the key contains a closing "
          + "brace outside of braces: choose another key",
        key: key)
    }
    return .raw(Array("::lease:{".utf8) + tag + Array("}".utf8) + word)
  }
}
