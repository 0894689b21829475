import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RedisConfig {
  /// Creates a configuration from a URL, as programs receive it in their environment.
  ///
  /// ```swift
  /// try RedisConfig(url: "redis://ada:secret@redis.example:6379/2")  // user, password, database
  /// try RedisConfig(url: "rediss://:secret@redis.example")           // encrypted; no user
  /// try RedisConfig(url: "unix:///run/redis.sock?db=2")              // on this machine
  /// // The primary that sentinels name:
  /// try RedisConfig(url: "redis-sentinel://:secret@one:26379,two:26379/mymaster?db=2")
  /// ```
  ///
  /// Reserved characters in user and password must be percent-encoded. Throws `.invalidConfiguration` if the URL is
  /// invalid; the error does not quote it, since it may contain a password.
  public init(url: String) throws(StorageError) {
    if let rest = url.afterScheme("redis-sentinel://") {
      try self.init(sentinels: rest, tls: nil)
      return
    }
    if let rest = url.afterScheme("rediss-sentinel://") {
      try self.init(sentinels: rest, tls: RedisTLS())
      return
    }
    guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else {
      throw .noRedisURL("it is not a URL")
    }
    self.init()
    switch scheme {
    case "redis", "rediss":
      guard let host = parts.host, !host.isEmpty else { throw .noRedisURL("it names no host") }
      guard let port = UInt16(exactly: parts.port ?? 6379), port > 0 else {
        throw .noRedisURL("the port must be a number from 1 to 65535")
      }
      // An IPv6 address has brackets in a URL, and none elsewhere.
      addresses = [RedisAddress(host: host.trimmingBrackets, port: port)]
      if scheme == "rediss" { tls = RedisTLS() }
      let path = parts.path.drop { $0 == "/" }
      if !path.isEmpty { database = try Self.database(String(path)) }
    case "unix":
      guard !parts.path.isEmpty, parts.host?.isEmpty ?? true else {
        throw .noRedisURL("a path must follow three slashes, as in unix:///run/redis.sock")
      }
      addresses = [RedisAddress(path: parts.path)]
      if let number = parts.queryItems?.first(where: { $0.name == "db" })?.value {
        database = try Self.database(number)
      }
    default: throw .noRedisURL("it must begin with redis://, rediss://, redis-sentinel:// or unix://")
    }
    if let name = parts.user, !name.isEmpty { user = name }
    password = parts.password
  }

  /// Parses the rest of the URL: user and password of the servers, the sentinels, and their name for the primary.
  private init(sentinels text: String, tls: RedisTLS?) throws(StorageError) {
    let at = text.lastIndex(of: "@")
    let user = at.map { text[..<$0] } ?? ""
    let rest = at.map { text[text.index(after: $0)...] } ?? text[...]
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    // `URLComponents` parses only one host. So each sentinel is parsed in a separate URL, and the rest in another.
    guard let parts = URLComponents(string: "redis://\(user)\(at == nil ? "" : "@")h\(rest[end...])") else {
      throw .noRedisURL("it is not a URL")
    }
    let name = parts.path.dropFirst()
    guard !name.isEmpty, !name.contains("/") else {
      throw .noRedisURL(
        "the path must be the name of the primary, as in /mymaster")
    }
    self.init()
    var addresses: [RedisAddress] = []
    for host in rest[..<end].split(separator: ",", omittingEmptySubsequences: false) {
      addresses.append(try Self.sentinel(host))
    }
    sentinel = RedisSentinel(addresses: addresses, name: String(name))
    self.tls = tls
    if let number = parts.queryItems?.first(where: { $0.name == "db" })?.value {
      database = try Self.database(number)
    }
    if let name = parts.user, !name.isEmpty { self.user = name }
    password = parts.password
  }

  private static func sentinel(_ text: Substring) throws(StorageError) -> RedisAddress {
    guard let parts = URLComponents(string: "redis://\(text)"), let host = parts.host, !host.isEmpty,
      parts.path.isEmpty, let port = UInt16(exactly: parts.port ?? 26_379), port > 0
    else { throw .noRedisURL("each sentinel must be a host, with a port from 1 to 65535") }
    return RedisAddress(host: host.trimmingBrackets, port: port)
  }

  private static func database(_ text: String) throws(StorageError) -> Int {
    guard let number = Int(text), number >= 0 else { throw .noRedisURL("the database must be a number") }
    return number
  }
}

extension StorageError {
  fileprivate static func noRedisURL(_ reason: String) -> StorageError {
    .invalidConfiguration.with("the URL of the Redis server is invalid: \(reason)")
  }
}

extension String {
  fileprivate var trimmingBrackets: String {
    hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
  }

  /// Returns the text after a scheme, ignoring its case.
  fileprivate func afterScheme(_ scheme: String) -> String? {
    lowercased().hasPrefix(scheme) ? String(dropFirst(scheme.count)) : nil
  }
}
