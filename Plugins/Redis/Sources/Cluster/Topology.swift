/// The known servers, and which of them serve a key.
enum Topology: Sendable, Equatable {
  /// One server for all keys, and its replicas.
  case single(SlotMap.Shard)
  /// Servers that each have a part of the slots.
  case cluster(SlotMap)

  var isCluster: Bool {
    if case .cluster = self { return true }
    return false
  }

  /// Returns the servers of a key, or of any shard for a command without a key; `nil` if no server serves it.
  func shard(of key: ArraySlice<UInt8>?) -> SlotMap.Shard? {
    switch self {
    case .single(let shard): shard
    case .cluster(let map): key.map { map[KeySlot(of: $0)] } ?? map.shards.first
    }
  }

  /// All primaries.
  var primaries: [RedisAddress] {
    switch self {
    case .single(let shard): [shard.primary]
    case .cluster(let map): map.shards.map(\.primary)
    }
  }

  /// All servers.
  var addresses: [RedisAddress] {
    switch self {
    case .single(let shard): [shard.primary] + shard.replicas
    case .cluster(let map): map.shards.flatMap { [$0.primary] + $0.replicas }
    }
  }
}
