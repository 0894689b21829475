import BenchHarness
import Foundation
import Logging
import StrataRedis
import Valkey

/// Values on one Redis server, by `RedisStorage` and by valkey-swift.
enum RedisPeer {
  static func measure(port: UInt16, into table: inout Table) async throws {
    let store = try RedisStorage<String>(
      config: RedisConfig(addresses: [RedisAddress(host: "127.0.0.1", port: port)]), namespace: "ours")
    let client = ValkeyClient(.hostname("127.0.0.1", port: Int(port)), logger: Logger(label: "peers"))
    let running = Task { await client.run() }
    defer { running.cancel() }
    let (keys, value) = (Peers.keys, Peers.value)
    try await Peers.compare("valkey-swift", "set", into: &table) { draw in
      try await store.setObject(value, forKey: keys[draw])
    } theirs: { draw in
      _ = try await client.set(ValkeyKey(keys[draw]), value: value)
    }
    for key in keys {
      try await store.setObject(value, forKey: key)
      _ = try await client.set(ValkeyKey(key), value: value)
    }
    try await Peers.compare("valkey-swift", "get", into: &table) { draw in
      guard try await store.object(forKey: keys[draw]) == value else { throw Peers.WrongAnswer() }
    } theirs: { draw in
      guard let found = try await client.get(ValkeyKey(keys[draw])), Data(found) == value else {
        throw Peers.WrongAnswer()
      }
    }
  }
}
