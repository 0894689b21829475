/// The address of a server: a host and a port, or the path of a Unix socket.
///
/// ```swift
/// let config = RedisConfig(addresses: [RedisAddress(host: "redis.internal", port: 6380)])
/// ```
public struct RedisAddress: Sendable, Hashable, CustomStringConvertible {
  enum Place: Sendable, Hashable {
    case network(host: String, port: UInt16)
    case file(path: String)
  }

  let place: Place

  /// Creates the address of a server in the network, by name or IP address; IPv6 addresses have no brackets.
  public init(host: String, port: UInt16 = 6379) { place = .network(host: host, port: port) }

  /// Creates the address of a Unix socket on this machine.
  public init(path: String) { place = .file(path: path) }

  /// The host, unless it is a Unix socket.
  public var host: String? {
    if case .network(let host, _) = place { return host }
    return nil
  }

  /// The port, unless it is a Unix socket.
  public var port: UInt16? {
    if case .network(_, let port) = place { return port }
    return nil
  }

  /// The path of a Unix socket.
  public var path: String? {
    if case .file(let path) = place { return path }
    return nil
  }

  /// `host:port`, `[host]:port` for an IPv6 address, or the path.
  public var description: String {
    switch place {
    case .network(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .file(let path): path
    }
  }
}
