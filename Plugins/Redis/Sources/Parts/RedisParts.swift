#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The parts of the values of a `RedisStorage`.
///
/// | key                            | contents                                                                        |
/// |--------------------------------|---------------------------------------------------------------------------------|
/// | `namespace::key`               | a hash: a field for each part, by its number, and `strata`, a `DividedValue`    |
/// | `::stage:{tag}`, the identity  | the same without `strata`, while the value is being written                     |
///
/// A commit renames the key. So a value is one key of the server: it is evicted, expires and is removed as a whole. A
/// value that is being written expires an hour after its last part. Earlier versions refuse hashes.
struct RedisParts<Key: StorageKey>: PartPlace {
  let store: RedisStorage<Key>

  private var client: RedisClient { store.client }
  var clock: StorageClock { store.clock }

  func bytes(_ numbers: Range<Int>, of value: DividedValue, _ key: Key) async throws -> Data? {
    do {
      let fields = numbers.map { RedisCommand.Word.integer($0) }
      let read = RedisCommand(
        "HMGET", [store.namespace.word(key), "strata"] + fields, isIdempotent: true)
      let reply = try await client.send(read, reads: true)
      if let elements = reply.elements, elements.first?.bytes == value.description {
        return try value.assembled(numbers, elements.dropFirst().map(\.bytes))
      }
      if let refusal = reply.failure, refusal.code != "WRONGTYPE" {
        throw StorageError.refusal(refusal, by: nil)
      }
      // Perhaps it is still being written.
      let staged = try await store.send(
        RedisCommand("HMGET", [try stageWord(key, value.id)] + fields, isIdempotent: true))
      return try value.assembled(numbers, staged.elements?.map(\.bytes) ?? [])
    } catch { throw client.explained(error, "read the entry", key) }
  }

  func has(_ key: Key, _ value: DividedValue) async throws -> Bool {
    do {
      if case .value(value, _) = try await store.divided(key) { return true }
      return false
    } catch { throw client.explained(error, "read the entry", key) }
  }

  func store(_ records: [Data], from number: Int, of id: ValueID, _ key: Key) async throws {
    do {
      let word = try stageWord(key, id)
      let renew = RedisCommand("PEXPIRE", word, .integer(Int(stagingLease * 1000)))
      let fields = records.enumerated().flatMap { index, record in
        [RedisCommand.Word.integer(number + index), .bytes(record)]
      }
      let commands = records.isEmpty ? [renew] : [renew, RedisCommand("HSET", [word] + fields), renew]
      let reply = try await store.send(RedisCommand(whole: commands))
      if number > 0, reply.elements?.first?.integer == 0 {
        // The first parts have expired.
        _ = try await store.send(RedisCommand("UNLINK", word))
        throw StorageError.stagedPartsLost
      }
    } catch { throw client.explained(error, "store a part of the entry", key) }
  }

  func commit(_ value: Data, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool {
    try await store.change(key, ifAbsent ? .setIfAbsent(value, expiry) : .set(value, expiry), [])
  }

  func commit(_ value: DividedValue, _ key: Key, _ expiry: Expiry?, ifAbsent: Bool) async throws -> Bool {
    do {
      var isHash = false
      while true {
        do {
          return try await commit(value, key, expiry, ifAbsent, replacingHash: isHash)
        } catch is HashFound { isHash = true } catch is Foreign {
          throw StorageError.refusal(.wrongType, by: nil)
        } catch let error as StorageError where isHash && error.isOfType {
          // It is no hash any more.
          isHash = false
        }
      }
    } catch { throw client.explained(error, "store the entry", key) }
  }

  /// Thrown for a key that holds a hash: only then can the server say whether it is one of Strata's.
  private struct HashFound: Error {}
  /// Thrown for a key that holds a value of another program.
  private struct Foreign: Error {}

  private func commit(
    _ value: DividedValue, _ key: Key, _ expiry: Expiry?, _ ifAbsent: Bool, replacingHash: Bool
  ) async throws -> Bool {
    let (word, staged) = (store.namespace.word(key), try stageWord(key, value.id))
    let lease = StorageLease.current(issuedBy: store)
    let leaseWords = try lease.map { _ in [try store.leaseWord(key)] } ?? []
    let reading =
      [
        RedisCommand("WATCH", [staged, word] + leaseWords), RedisCommand("EXISTS", staged),
        RedisCommand("TYPE", word),
      ]
      + (replacingHash ? [RedisCommand("HEXISTS", word, "strata")] : [])
      + leaseWords.map { RedisCommand("GET", $0) }
    let life = Life(expiry ?? store.expiry, by: clock)
    return try await client.transaction(reading: reading) { replies in
      if let lease, replies.last?.text != "\(lease.token)" { throw StorageError.leaseLost }
      guard replies[1].integer == 1 else { throw StorageError.stagedPartsLost }
      switch replies[2] {
      case .simple("none"): break
      case _ where ifAbsent: return (false, [])
      case .simple("string"): break
      case .simple("hash") where !replacingHash: throw HashFound()
      case .simple("hash") where replies[3].integer == 1: break
      default: throw Foreign()
      }
      let describe = RedisCommand("HSET", staged, "strata", .bytes(value.description))
      let replace = [describe, RedisCommand("UNLINK", word), RedisCommand("RENAME", staged, word)]
      return (true, replace + [life.command(for: word)])
    }
  }

  func discard(_ id: ValueID, _ key: Key) async {
    // In a task of its own, so that it is also sent if this one is cancelled.
    await Task {
      do { _ = try await store.send(RedisCommand("UNLINK", try stageWord(key, id))) } catch {
        // The server removes the parts when they expire.
      }
    }.value
  }

  func explained(_ error: StorageError, _ key: Key) -> any Error {
    error.key == nil ? client.explained(error, "read the entry", key) : error
  }

  /// Returns the key of a value that is being written: in the slot of the entry's key, and different from the keys of
  /// all stores.
  func stageWord(_ key: Key, _ id: ValueID) throws(StorageError) -> RedisCommand.Word {
    let tag = KeySlot.tag(of: store.namespace.prefix + key.storageKey.canonicalUTF8)
    // Only a cluster has slots, and `stage` refuses such a key there.
    let isTag = !tag.contains(UInt8(ascii: "}"))
    return .raw(
      Array("::stage:".utf8) + (isTag ? Array("{".utf8) + tag + Array("}".utf8) : []) + Array(id.text.utf8))
  }
}

extension Life {
  /// Returns the command that sets the expiry of an existing key.
  func command(for word: RedisCommand.Word) -> RedisCommand {
    switch self {
    case .endless: RedisCommand("PERSIST", word)
    case .milliseconds(let milliseconds): RedisCommand("PEXPIRE", word, .integer(milliseconds))
    case .until(let date): RedisCommand("PEXPIREAT", word, .integer(date))
    case .over: RedisCommand("UNLINK", word)
    }
  }
}
