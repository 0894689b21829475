import Strata
import StrataRedis

struct Profile: Codable, Sendable {
  var name: String
}

let client = RedisClient(
  config: RedisConfig(addresses: [RedisAddress(host: "127.0.0.1", port: 6379)]))

let profiles = AsyncStorage(
  front: MemoryStorage(config: MemoryConfig(countLimit: 100_000)),
  back: try RedisStorage<String>(client: client, namespace: "profiles", expiry: .seconds(86_400)),
  transformer: .codable(Profile.self))

try await profiles.setObject(Profile(name: "Ada"), forKey: "ada")
print(try await profiles.object(forKey: "ada").name)
