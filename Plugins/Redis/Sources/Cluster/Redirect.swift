/// Where a node of a cluster sends us, because it does not serve a slot, or serves it no more.
struct Redirect: Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    /// From now on, ask the other node.
    case moved
    /// The slot is on its way: this once, ask the other node, after `ASKING`.
    case ask
  }

  let reason: Reason
  let slot: KeySlot
  let address: RedisAddress

  /// The redirection that an error of a node is, if it is one. `asked` is the node: it may leave out its own host.
  init?(_ error: RedisReplyError, asked: RedisAddress) {
    switch error.code {
    case "MOVED": reason = .moved
    case "ASK": reason = .ask
    default: return nil
    }
    let words = error.message.split(separator: " ")
    guard words.count >= 3, let slot = Int(words[1]).flatMap(KeySlot.init(number:)),
      // The last colon: an IPv6 address has others.
      let colon = words[2].lastIndex(of: ":"),
      let port = UInt16(words[2][words[2].index(after: colon)...]),
      let address = RedisAddress(told: String(words[2][..<colon]), port: port, by: asked)
    else { return nil }
    self.slot = slot
    self.address = address
  }
}

extension RedisAddress {
  /// The address of a node as another one tells it: without a host it is the host of that one, which knows no better
  /// name.
  init?(told host: String?, port: UInt16, by teller: RedisAddress) {
    if let host, !host.isEmpty, host != "?" {
      self.init(host: host, port: port)
    } else if let host = teller.host {
      self.init(host: host, port: port)
    } else {
      return nil
    }
  }
}
