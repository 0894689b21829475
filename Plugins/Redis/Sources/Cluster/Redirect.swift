/// A redirection to another node of a cluster, which serves a slot instead of the called node.
struct Redirect: Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    /// The slot has moved permanently.
    case moved
    /// The slot is being moved: send this command only to the other node, after `ASKING`.
    case ask
  }

  let reason: Reason
  let slot: KeySlot
  let address: RedisAddress

  /// Parses a node's error; `nil` if it is no redirection. `asked` is the node's address: the node may omit its own
  /// host.
  init?(_ error: RedisReplyError, asked: RedisAddress) {
    switch error.code {
    case "MOVED": reason = .moved
    case "ASK": reason = .ask
    default: return nil
    }
    let words = error.message.split(separator: " ")
    guard words.count >= 3, let slot = Int(words[1]).flatMap(KeySlot.init(number:)),
      // The last colon, since an IPv6 address contains others.
      let colon = words[2].lastIndex(of: ":"),
      let port = UInt16(words[2][words[2].index(after: colon)...]),
      let address = RedisAddress(reported: String(words[2][..<colon]), port: port, by: asked)
    else { return nil }
    self.slot = slot
    self.address = address
  }
}

extension RedisAddress {
  /// Creates the address of a node as reported by another node. Without a host, the host of the reporting node is used.
  init?(reported host: String?, port: UInt16, by reporter: RedisAddress) {
    if let host, !host.isEmpty, host != "?" {
      self.init(host: host, port: port)
    } else if let host = reporter.host {
      self.init(host: host, port: port)
    } else {
      return nil
    }
  }
}
