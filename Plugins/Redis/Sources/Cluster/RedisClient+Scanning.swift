#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// A position in the keys of the servers, which are scanned one after the other.
struct ScanPlace: Sendable {
  fileprivate static let start = Data("0".utf8)

  /// The server that is being scanned; `nil` between two servers.
  fileprivate var server: RedisAddress?
  /// The server's cursor, which remains valid.
  fileprivate var cursor = Self.start
  /// In a cluster, whether each slot is still to be scanned.
  fileprivate var open = [Bool](repeating: true, count: KeySlot.count)
  /// In a cluster, the open slots of the server when its scan began.
  fileprivate var share: [Bool] = []
  /// Whether all servers have been scanned.
  private(set) var isAtEnd = false

  fileprivate mutating func begin(on server: RedisAddress, _ share: [Bool]) {
    (self.server, self.share, cursor) = (server, share, Self.start)
  }

  /// Marks the slots that the server still serves as scanned. Slots that have moved to another server are scanned again
  /// there.
  fileprivate mutating func end(_ map: SlotMap?) {
    if let map {
      for slot in share.indices where share[slot] && map.primary(ofSlot: slot) == server {
        open[slot] = false
      }
    }
    server = nil
    isAtEnd = map == nil || !open.contains(true)
  }
}

extension RedisClient {
  /// Scans about a thousand keys of one server. Returns the keys that match a pattern, and advances `place`.
  ///
  /// In a cluster, keys of a slot that moves meanwhile may be returned twice.
  func scan(_ place: inout ScanPlace, _ pattern: RedisCommand.Word) async throws -> [Data] {
    var effort = Effort(config.timeout)
    var known = try await known(&effort)
    while true {
      do {
        var next = place
        let words = try await scan(&next, pattern, in: known)
        place = next
        return words
      } catch let error as StorageError {
        guard error.mayPass(isIdempotent: true) else { throw error }
        if (error.cause as? RedisReplyError)?.code == "READONLY", !canMove(in: known) {
          for address in known.topology.primaries { renew(Place(address: address)) }
        }
        guard try await again(&effort, &known, pauses: true) else { throw error }
      }
    }
  }

  private func scan(_ place: inout ScanPlace, _ pattern: RedisCommand.Word, in known: Known) async throws
    -> [Data]
  {
    let address = try server(&place, in: known)
    let scan = RedisCommand(
      "SCAN", .bytes(place.cursor), "MATCH", pattern, "COUNT", 1000, keyIndex: nil, isIdempotent: true)
    let reply = try await node(Place(address: address)).send(scan)
    if let refusal = reply.failure { throw StorageError.refusal(refusal, by: address) }
    guard let parts = reply.elements, parts.count == 2, let next = parts[0].bytes,
      let words = parts[1].elements?.compactMap(\.bytes)
    else { throw StorageError.unread(reply) }
    let share = place.share
    place.cursor = next
    if next == ScanPlace.start {
      if case .cluster = known.topology,
        case .cluster(let map) = try await self.known(after: known.version).topology
      {
        place.end(map)
      } else {
        place.end(nil)
      }
    }
    return known.topology.isCluster ? words.filter { share[KeySlot(of: $0).number] } : words
  }

  /// Returns the server to scan, and begins with the next one between two servers.
  private func server(_ place: inout ScanPlace, in known: Known) throws -> RedisAddress {
    switch known.topology {
    case .single(let shard):
      if place.server == nil { place.begin(on: shard.primary, []) }
      guard place.server == shard.primary else {
        throw StorageError.backendFailed.with(
          "another server has taken over, for which the cursor of the listing is not valid: list again from the start",
          place: shard.primary.description)
      }
      return shard.primary
    case .cluster(let map):
      // The slots of a failed server are scanned on the server that took over, from the beginning.
      if let server = place.server, map.shards.contains(where: { $0.primary == server }) { return server }
      guard let slot = place.open.firstIndex(of: true), let server = map.primary(ofSlot: slot) else {
        throw StorageError.unserved(config.servers.first)
      }
      place.begin(on: server, place.open.indices.map { place.open[$0] && map.primary(ofSlot: $0) == server })
      return server
    }
  }
}

extension SlotMap {
  fileprivate func primary(ofSlot number: Int) -> RedisAddress? {
    KeySlot(number: number).flatMap { self[$0]?.primary }
  }
}
