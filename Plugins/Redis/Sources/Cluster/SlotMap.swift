/// Which nodes of a cluster serve which slots, as one of them told it.
struct SlotMap: Sendable, Equatable {
  /// Nodes that serve the same slots.
  struct Shard: Sendable, Hashable {
    /// The one that takes writes.
    var primary: RedisAddress
    /// Those that follow it, some moments behind.
    var replicas: [RedisAddress]
  }

  /// All shards that have slots.
  private(set) var shards: [Shard] = []
  /// For each slot the index of its shard; `UInt16.max` where nobody serves it.
  private var owners = [UInt16](repeating: .max, count: KeySlot.count)

  /// The shard that serves a slot; `nil` if none does.
  subscript(slot: KeySlot) -> Shard? {
    let owner = owners[slot.number]
    return owner == .max ? nil : shards[Int(owner)]
  }

  /// Whether every slot is served.
  var isWhole: Bool { !owners.contains(.max) }

  /// Puts the shards into the order of their slots, and the replicas into that of their addresses, since each node has
  /// an order of its own in which it tells them.
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
    // There are few pairs of shards that slots have in the two.
    let pairs = Set(zip(owners, other.owners).map { UInt32($0) << 16 | UInt32($1) })
    return pairs.allSatisfy { pair in
      primary(UInt16(pair >> 16)) == other.primary(UInt16(truncatingIfNeeded: pair))
    }
  }

  private func primary(_ owner: UInt16) -> RedisAddress? { owner == .max ? nil : shards[Int(owner)].primary }

  /// Gives a slot to a primary, as a redirection has told it. Its replicas are those that it is known with.
  mutating func move(_ slot: KeySlot, to address: RedisAddress) {
    owners[slot.number] = index(of: Shard(primary: address, replicas: []))
  }

  /// The index of the shard of a primary, which becomes one if there is none.
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

// MARK: What nodes say

extension SlotMap {
  /// The reply to `CLUSTER SLOTS`; `nil` if it is none. `teller` is the node that gave it.
  init?(slots reply: RESPValue, by teller: RedisAddress) {
    self.init()
    guard let ranges = reply.elements else { return nil }
    for range in ranges {
      guard let parts = range.elements, parts.count >= 3, let first = parts[0].integer,
        let last = parts[1].integer
      else { return nil }
      let nodes = parts[2...].compactMap { node -> RedisAddress? in
        guard let node = node.elements, node.count >= 2 else { return nil }
        return RedisAddress(told: node[0].text, port: node[1], by: teller)
      }
      guard let primary = nodes.first, nodes.count == parts.count - 2,
        give(first, through: last, to: Shard(primary: primary, replicas: Array(nodes.dropFirst())))
      else { return nil }
    }
    sort()
  }

  /// The reply to `CLUSTER SHARDS`; `nil` if it is none. `teller` is the node that gave it.
  ///
  /// - Parameter isSecure: whether TLS is spoken: nodes that do have another port for it.
  init?(shards reply: RESPValue, isSecure: Bool = false, by teller: RedisAddress) {
    self.init()
    guard let shards = reply.elements else { return nil }
    for shard in shards {
      guard let ranges = shard["slots"]?.elements?.map(\.integer), ranges.count % 2 == 0,
        let nodes = shard["nodes"]?.elements
      else { return nil }
      // Some are told that have failed, and keep the part that they had: then two may be the primary.
      let living = nodes.filter { $0["health"]?.text?.hasPrefix("fail") != true }
      var primary: RedisAddress?
      var replicas: [RedisAddress] = []
      for node in living {
        let port = isSecure ? node["tls-port"] ?? node["port"] : node["port"] ?? node["tls-port"]
        guard let port, let address = RedisAddress(told: node["endpoint"]?.text, port: port, by: teller)
        else {
          return nil
        }
        if node["role"]?.text != "master" {
          // One that is loading has nothing to read yet.
          if node["health"]?.text == "online" { replicas.append(address) }
        } else if primary == nil {
          primary = address
        }
      }
      // One whose primary has failed is left out until another takes its place.
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
  fileprivate init?(told host: String?, port: RESPValue, by teller: RedisAddress) {
    guard let port = port.integer.flatMap(UInt16.init(exactly:)) else { return nil }
    self.init(told: host, port: port, by: teller)
  }
}
