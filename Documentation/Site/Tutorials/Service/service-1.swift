import Strata
import StrataRedis

struct Profile: Codable, Sendable {
  var name: String
}

let client = RedisClient(
  config: RedisConfig(addresses: [RedisAddress(host: "127.0.0.1", port: 6379)]))
