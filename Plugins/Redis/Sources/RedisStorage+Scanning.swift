#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension RedisStorage {
  /// The keys of all that is stored and has not expired, in no order. Keys that the key type cannot read are left out.
  ///
  /// The server looks at all its keys for that, those of other stores too, a thousand at a time, and serves others in
  /// between. What is stored or removed meanwhile may be listed, or not.
  public func keys() async throws -> [Key] {
    do {
      let found = Locked<Set<Key>>([])
      try await scan { [namespace] words in
        found.withLock { $0.formUnion(words.compactMap { namespace.key($0) }) }
      }
      return found.withLock { Array($0) }
    } catch { throw client.explained(error, "list the entries") }
  }

  /// Removes all entries of this namespace and no others, a thousand at a time; the server serves others in between,
  /// and frees the memory of large values later. What is stored meanwhile may be removed, or not.
  public func removeAll() async throws {
    do {
      try await scan { [self] words in
        if words.isEmpty { return }
        _ = try await send(words.map { RedisCommand("UNLINK", .bytes($0)) })
      }
    } catch { throw client.explained(error, "remove all entries") }
  }

  /// Goes through all keys of the namespace, on all servers side by side; some may come twice.
  private func scan(_ body: @escaping @Sendable (_ words: [Data]) async throws -> Void)
    async throws
  {
    let pattern = namespace.pattern
    try await client.onPrimaries { node, _ in
      var cursor = Data("0".utf8)
      repeat {
        let scan = RedisCommand(
          "SCAN", .bytes(cursor), "MATCH", pattern, "COUNT", 1000, keyIndex: nil, isIdempotent: true)
        let reply = try await node.send(scan)
        if let refusal = reply.failure { throw StorageError.refusal(refusal, by: node.address) }
        guard let parts = reply.elements, parts.count == 2, let next = parts[0].bytes,
          let words = parts[1].elements
        else { throw StorageError.unread(reply) }
        try await body(words.compactMap(\.bytes))
        cursor = next
      } while cursor != Data("0".utf8)
    }
  }
}
