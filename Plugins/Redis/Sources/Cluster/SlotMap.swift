/// The assignment of slots to the nodes of a cluster, as reported by a node.
struct SlotMap: Sendable, Equatable {
  /// Nodes that serve the same slots.
  struct Shard: Sendable, Hashable {
    /// The primary, which accepts writes.
    var primary: RedisAddress
    /// The replicas, which lag behind.
    var replicas: [RedisAddress]
  }

  /// All shards that have slots.
  private(set) var shards: [Shard] = []
  /// For each slot the index of its shard; `UInt16.max` if no node serves it.
  private var owners = [UInt16](repeating: .max, count: KeySlot.count)

  /// The shard that serves a slot; `nil` if none does.
  subscript(slot: KeySlot) -> Shard? {
    let owner = owners[slot.number]
    return owner == .max ? nil : shards[Int(owner)]
  }

  /// Whether every slot is served.
  var isWhole: Bool { !owners.contains(.max) }

  /// Sorts the shards by their slots, and the replicas by their addresses, since each node reports them in another
  /// order.
  private mutating func sort() {
    var places = [UInt16](repeating: .max, count: shards.count)
    var sorted: [Shard] = []
    for owner in owners where owner != .max && places[Int(owner)] == .max {
      places[Int(owner)] = UInt16(sorted.count)
      sorted.append(shards[Int(owner)])
    }
    owners = owners.map { $0 == .max ? .max : places[Int($0)] }
    shards = sorted.map { shard in
      Shard(primary: shard.primary, replicas: shard.replicas.sorted { $0.description < $1.description })
    }
  }

  /// Whether each slot has the same primary in both.
  func hasPrimaries(of other: SlotMap) -> Bool {
    // Comparing pairs of shards is enough, and there are few.
    let pairs = Set(zip(owners, other.owners).map { UInt32($0) << 16 | UInt32($1) })
    return pairs.allSatisfy { pair in
      primary(UInt16(pair >> 16)) == other.primary(UInt16(truncatingIfNeeded: pair))
    }
  }

  private func primary(_ owner: UInt16) -> RedisAddress? { owner == .max ? nil : shards[Int(owner)].primary }

  /// Assigns a slot to a primary after a redirection. The slot's replicas are the replicas of the primary's shard, if
  /// it is known.
  mutating func move(_ slot: KeySlot, to address: RedisAddress) {
    owners[slot.number] = index(of: Shard(primary: address, replicas: []))
  }

  /// Returns the index of a primary's shard, which is added if it is missing.
  private mutating func index(of shard: Shard) -> UInt16 {
    if let index = shards.firstIndex(where: { $0.primary == shard.primary }) { return UInt16(index) }
    shards.append(shard)
    return UInt16(shards.count - 1)
  }

  private mutating func give(_ first: Int, through last: Int, to shard: Shard) -> Bool {
    guard 0 <= first, first <= last, last < KeySlot.count else { return false }
    let index = index(of: shard)
    for slot in first...last { owners[slot] = index }
    return true
  }
}

// MARK: Replies of nodes

extension SlotMap {
  /// Parses the reply to `CLUSTER SLOTS` from the node `reporter`; `nil` if it is invalid.
  init?(slots reply: RESPValue, by reporter: RedisAddress) {
    self.init()
    guard let ranges = reply.elements else { return nil }
    for range in ranges {
      guard let parts = range.elements, parts.count >= 3, let first = parts[0].integer,
        let last = parts[1].integer
      else { return nil }
      let nodes = parts[2...].compactMap { node -> RedisAddress? in
        guard let node = node.elements, node.count >= 2 else { return nil }
        return RedisAddress(reported: node[0].text, port: node[1], by: reporter)
      }
      guard let primary = nodes.first, nodes.count == parts.count - 2,
        give(first, through: last, to: Shard(primary: primary, replicas: Array(nodes.dropFirst())))
      else { return nil }
    }
    sort()
  }

  /// Parses the reply to `CLUSTER SHARDS` from the node `reporter`; `nil` if it is invalid.
  ///
  /// - Parameter isSecure: Whether TLS is used, for which nodes have another port.
  init?(shards reply: RESPValue, isSecure: Bool = false, by reporter: RedisAddress) {
    self.init()
    guard let shards = reply.elements else { return nil }
    for shard in shards {
      guard let ranges = shard["slots"]?.elements?.map(\.integer), ranges.count % 2 == 0,
        let nodes = shard["nodes"]?.elements
      else { return nil }
      // Failed nodes may be listed with their previous role: then there can be two primaries.
      let living = nodes.filter { $0["health"]?.text?.hasPrefix("fail") != true }
      var primary: RedisAddress?
      var replicas: [RedisAddress] = []
      for node in living {
        let port = isSecure ? node["tls-port"] ?? node["port"] : node["port"] ?? node["tls-port"]
        guard let port, let address = RedisAddress(reported: node["endpoint"]?.text, port: port, by: reporter)
        else {
          return nil
        }
        if node["role"]?.text != "master" {
          // A replica that is loading cannot be read yet.
          if node["health"]?.text == "online" { replicas.append(address) }
        } else if primary == nil {
          primary = address
        }
      }
      // A shard whose primary has failed is omitted until another takes over.
      guard let primary else { continue }
      for start in stride(from: 0, to: ranges.count, by: 2) {
        guard let first = ranges[start], let last = ranges[start + 1],
          give(first, through: last, to: Shard(primary: primary, replicas: replicas))
        else { return nil }
      }
    }
    sort()
  }
}

extension RedisAddress {
  fileprivate init?(reported host: String?, port: RESPValue, by reporter: RedisAddress) {
    guard let port = port.integer.flatMap(UInt16.init(exactly:)) else { return nil }
    self.init(reported: host, port: port, by: reporter)
  }
}
