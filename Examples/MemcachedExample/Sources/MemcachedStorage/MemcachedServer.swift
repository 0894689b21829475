import Foundation
public import StrataEngines

/// A store of bytes on a memcached server: `MemcachedStorage<String>(MemcachedServer(port: 11211), namespace: "app")`.
public typealias MemcachedStorage<Key: StorageKey> = ServerStorage<Key, MemcachedServer>

/// A memcached server, 1.6 or newer. It drops entries when its memory is full.
public final class MemcachedServer: KeyValueServer {
  /// The host and the port.
  public let address: String
  /// The maximum length of a key in memcached.
  public let longestName = 250
  /// The maximum length of an item without its head, unless the server's option `-I` sets another.
  public let longestRecord = 1 << 20 - 512
  private let connection: Connection

  /// Creates a client of a server. It connects at the first call, and again at the next call after a failure.
  public init(host: String = "127.0.0.1", port: UInt16) {
    address = "\(host):\(port)"
    connection = Connection(host, port)
  }

  /// Reads records, in one round trip.
  public func read(_ names: [String]) async throws -> [ServerRecord?] {
    try await connection.ask(names.map { Data("mg \($0) v c\r\n".utf8) }) { line, replies in
      if line == "EN" { return nil }
      // The line is "VA", the length, "c" and the version. The value follows.
      let words = line.split(separator: " ")
      guard words.count == 3, let count = Int(words[1]) else { throw Failure(reply: line) }
      return ServerRecord(bytes: try replies.bytes(count), version: String(words[2].dropFirst()))
    }
  }

  /// Stores and removes records, in one round trip.
  public func write(_ changes: [ServerChange]) async throws -> [Bool] {
    let requests = changes.map { change in
      // "ME" stores the item if the key is absent, "C" if the stored item has this version.
      let condition =
        change.condition.map { if case .version(let it) = $0 { " C\(it)" } else { " ME" } } ?? ""
      guard let record = change.record else { return Data("md \(change.name)\(condition)\r\n".utf8) }
      // Zero means never, and a number of more than 30 days means a date.
      var time = change.lifetime ?? 0
      if time > 30 * 86_400 { time = min(time + Int(Date().timeIntervalSince1970), Int(Int32.max)) }
      return Data("ms \(change.name) \(record.count) T\(time)\(condition)\r\n".utf8) + record
        + Data("\r\n".utf8)
    }
    return try await connection.ask(requests) { line, _ in
      // These replies mean: stored, not stored, another version, not found.
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
        // The line contains "key=" and the name, "exp=" and a date or -1, and further fields.
        if line.hasPrefix("key=\(prefix)") {
          let words = line.dropFirst(4).split(separator: " ")
          names.append(ServerName(String(words[0]), mayExpire: words[1] != "exp=-1"))
        }
        line = try replies.line()
      }
      return names
    }
    if let names = names[0] { return KeyPage(keys: names, next: nil) }
    // The server lists keys for one client at a time, and another client is listing.
    try await Task.sleep(for: .milliseconds(5))
    return try await self.names(beginning: prefix, after: cursor)
  }
}
