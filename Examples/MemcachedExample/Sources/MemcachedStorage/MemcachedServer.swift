import Foundation
public import StrataCore

/// A store of bytes on a memcached server: `MemcachedStorage<String>(MemcachedServer(port: 11211), namespace: "app")`.
public typealias MemcachedStorage<Key: StorageKey> = ServerStorage<Key, MemcachedServer>

/// A memcached server, 1.6 or newer. It drops entries when its memory is full.
public final class MemcachedServer: KeyValueServer {
  /// The host and the port.
  public let address: String
  /// The length of memcached's longest key.
  public let longestName = 250
  /// The length of its largest item without its head, unless its option `-I` sets another.
  public let longestRecord = 1 << 20 - 512
  private let connection: Connection

  /// Names a server. The first call connects to it, as does the next one after a failure.
  public init(host: String = "127.0.0.1", port: UInt16) {
    address = "\(host):\(port)"
    connection = Connection(host, port)
  }

  /// Reads records, in one round trip.
  public func read(_ names: [String]) async throws -> [ServerRecord?] {
    try await connection.ask(names.map { Data("mg \($0) v c\r\n".utf8) }) { line, replies in
      if line == "EN" { return nil }
      // "VA", the length, "c" and the version; the value follows.
      let words = line.split(separator: " ")
      guard words.count == 3, let count = Int(words[1]) else { throw Failure(reply: line) }
      return ServerRecord(bytes: try replies.bytes(count), version: String(words[2].dropFirst()))
    }
  }

  /// Stores and removes records, in one round trip.
  public func write(_ changes: [ServerChange]) async throws -> [Bool] {
    let requests = changes.map { change in
      // "ME" stores if there is nothing, and "C" over this version.
      let condition =
        change.condition.map { if case .version(let it) = $0 { " C\(it)" } else { " ME" } } ?? ""
      guard let record = change.record else { return Data("md \(change.name)\(condition)\r\n".utf8) }
      // Zero is never, and more than 30 days are a date.
      var time = change.lifetime ?? 0
      if time > 30 * 86_400 { time = min(time + Int(Date().timeIntervalSince1970), Int(Int32.max)) }
      return Data("ms \(change.name) \(record.count) T\(time)\(condition)\r\n".utf8) + record
        + Data("\r\n".utf8)
    }
    return try await connection.ask(requests) { line, _ in
      // Done, not stored, another version, nothing there.
      guard ["HD", "NS", "EX", "NF"].contains(line) else { throw Failure(reply: line) }
      return line == "HD"
    }
  }

  /// Lists the names of the store, all at once.
  public func names(beginning prefix: String, after cursor: KeyCursor?) async throws -> KeyPage<ServerName> {
    let names = try await connection.ask([Data("lru_crawler metadump hash\r\n".utf8)]) { line, replies in
      var (line, names) = (line, [ServerName]())
      while line != "END" {
        if line.hasPrefix("BUSY") { return [ServerName]?.none }
        // "key=" and the name, "exp=" and a date or -1, and more.
        if line.hasPrefix("key=\(prefix)") {
          let words = line.dropFirst(4).split(separator: " ")
          names.append(ServerName(String(words[0]), mayExpire: words[1] != "exp=-1"))
        }
        line = try replies.line()
      }
      return names
    }
    if let names = names[0] { return KeyPage(keys: names, next: nil) }
    try await Task.sleep(for: .milliseconds(5))  // Another client lists its keys.
    return try await self.names(beginning: prefix, after: cursor)
  }
}
