#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

/// Writes of large values, which never replace a list, a hash, … of another program, but values in parts.
///
/// `SET … GET` refuses to replace these, but returns the old value. If the old value is likely to be large, it is
/// cheaper to remove a string by a script, and to store the new value if the key is then absent, both in one
/// transaction. The script does not receive the value: Lua would hash and copy it, which takes as long as ten times
/// storing it.
extension RedisStorage {
  /// The number of bytes above which the script is cheaper.
  static var largeValue: Int { 32 << 10 }

  /// Stores a value in place of a string or of nothing.
  func setLarge(_ object: Data, _ key: Key, _ life: Life) async throws {
    try await leavingForeign([key]) { byScript in
      guard let again = try await setLarge(object, key, life, byScript) else { return }
      _ = try await setLarge(object, key, again, byScript)
    }
  }

  /// Returns how long the value must be stored again, if its date is past by the server's clock only.
  private func setLarge(_ object: Data, _ key: Key, _ life: Life, _ byScript: Bool) async throws -> Life? {
    let left = life.left(by: clock)
    let reply = try await send(
      RedisCommand(
        new(object, key, life, byScript ? .inPlaceOfNothing : nil), before: byScript ? makeRoom([key]) : nil,
        after: left.map { _ in RedisCommand("PTTL", namespace.word(key)) }))
    if byScript, let room = reply.elements?.first { try Self.checkRoom(room, [key]) }
    return left != nil && reply.elements?.last?.integer == -2 ? left : nil
  }

  /// Returns the command that removes the strings under keys. If one of the keys holds another type, it removes
  /// nothing, and its reply is the index of that key, counted from 1.
  func makeRoom(_ keys: [Key]) -> RedisCommand {
    RedisCommand("EVAL", [.text(Self.script), .integer(keys.count)] + keys.map(namespace.word), keyIndex: 2)
  }

  private static var script: String {
    "for i = 1, #KEYS do local type = redis.call('TYPE', KEYS[i]).ok "
      + "if type == 'hash' and redis.call('HEXISTS', KEYS[i], 'strata') == 1 then type = 'string' end "
      + "if type ~= 'string' and type ~= 'none' then return i end end "
      + "for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end"
  }

  /// Throws if the reply to `makeRoom` reports a key that holds another type than a string.
  static func checkRoom(_ reply: RESPValue, _ keys: [Key]) throws {
    if let refusal = reply.failure { throw StorageError.refusal(refusal, by: nil) }
    guard let number = reply.integer, keys.indices.contains(number - 1) else { return }
    throw StorageError.refusal(.wrongType, by: nil).with(key: keys[number - 1])
  }

  /// Stores values under keys that hold strings or nothing: by the script, or, if the user may not run it, after the
  /// types have been read. In the latter case, a list that another program creates in between is overwritten.
  func leavingForeign(_ keys: [Key], _ store: (_ byScript: Bool) async throws -> Void) async throws {
    if keys.isEmpty { return try await store(false) }
    if client.mayRunScripts.load(ordering: .relaxed) {
      do { return try await store(true) } catch let error as StorageError where error.isForbidden {
        // Nothing was stored: a transaction is refused as a whole.
      }
    }
    let types = try await send(
      keys.map { RedisCommand("TYPE", namespace.word($0), isIdempotent: true) })
    for (key, type) in zip(keys, types) where type != .simple("string") && type != .simple("none") {
      if type == .simple("hash") {
        do {
          _ = try await divided(key)
          continue
        } catch let error as StorageError where error.isOfType {
          // A hash of another program.
        }
      }
      throw StorageError.refusal(.wrongType, by: nil).with(key: key)
    }
    try await store(false)
    client.mayRunScripts.store(false, ordering: .relaxed)
  }
}

extension StorageError {
  /// Whether the server refused a command for lack of permission.
  fileprivate var isForbidden: Bool { (cause as? RedisReplyError)?.code == "NOPERM" }

  /// Whether the server refused a command because the key holds another type.
  var isOfType: Bool { (cause as? RedisReplyError)?.code == "WRONGTYPE" }
}
