#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension RedisStorage {
  /// Returns at most `limit` keys of entries that have not expired after a cursor, in no order. Keys that the key type
  /// cannot decode are omitted.
  ///
  /// All keys at once take a scan of all servers, concurrently. A server scans all its keys, including keys of other
  /// stores, a thousand at a time, and serves other clients in between. Entries stored or removed meanwhile may or may
  /// not be listed.
  ///
  /// A page takes at most one `SCAN`; the servers are scanned one after the other. A page is empty if the server found
  /// only keys of other stores. A server may return a key twice if it has shrunk its table meanwhile; such repetitions
  /// are removed, unless most of its keys were removed at once. Keys of a slot that moves to another server may be
  /// listed twice. Throws `.backendFailed` if a replica takes over outside of a cluster: list again from the start.
  public func list(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    if cursor == nil, limit == .max { return KeyPage(keys: try await allKeysAtOnce(), next: nil) }
    var position = try cursor?.position(as: ScanPosition<Key>.self) ?? ScanPosition()
    do {
      if position.rest.isEmpty {
        position.add(
          try await client.scan(&position.place, namespace.pattern).compactMap { namespace.key($0) })
      }
    } catch { throw client.explained(error, "list the entries") }
    let keys = position.rest.prefix(max(1, limit))
    position.rest = position.rest.dropFirst(keys.count)
    let isLast = position.rest.isEmpty && position.place.isAtEnd
    return KeyPage(keys: Array(keys), next: isLast ? nil : KeyCursor(position))
  }

  private func allKeysAtOnce() async throws -> [Key] {
    do {
      let found = Locked<Set<Key>>([])
      try await scan { [namespace] words in
        found.withLock { $0.formUnion(words.compactMap { namespace.key($0) }) }
      }
      return found.withLock { Array($0) }
    } catch { throw client.explained(error, "list the entries") }
  }

  /// Removes all entries of this namespace, a thousand at a time. The server serves other clients in between, and frees
  /// the memory of large values later. Entries stored meanwhile may or may not be removed.
  ///
  /// `.expired` does nothing: the server removes expired entries itself, and never returns them.
  public func clear(_ extent: StoreExtent) async throws {
    if extent == .expired { return }
    do {
      try await scan { [self] words in
        if words.isEmpty { return }
        _ = try await send(words.map { RedisCommand("UNLINK", .bytes($0)) })
      }
    } catch { throw client.explained(error, extent.aim) }
  }

  /// Visits all keys of the namespace, on all servers concurrently. A key may be visited twice.
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

/// A position in the keys of a store.
private struct ScanPosition<Key: Hashable & Sendable>: Sendable {
  var place = ScanPlace()
  /// The keys that a server has returned, and that are still to be listed.
  var rest: ArraySlice<Key> = []
  /// The keys of the last scans. A server that has shrunk its table repeats only keys of these scans.
  private var recent: [Set<Key>] = []

  /// Adds the keys of a scan.
  mutating func add(_ keys: [Key]) {
    var new: Set<Key> = []
    rest = []
    for key in keys where !recent.contains(where: { $0.contains(key) }) && new.insert(key).inserted {
      rest.append(key)
    }
    recent = recent.suffix(3) + [new]
  }
}
