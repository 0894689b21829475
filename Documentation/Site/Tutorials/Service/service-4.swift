import Strata
import StrataRedis

struct Profile: Codable, Sendable {
  var name: String
}

actor Database {
  private(set) var reads = 0

  func profile(_ id: String) -> Profile {
    reads += 1
    return Profile(name: "profile of \(id)")
  }
}

let client = RedisClient(
  config: RedisConfig(addresses: [RedisAddress(host: "127.0.0.1", port: 6379)]))

let profiles = AsyncStorage(
  front: MemoryStorage(config: MemoryConfig(countLimit: 100_000)),
  back: try RedisStorage<String>(client: client, namespace: "profiles", expiry: .seconds(86_400)),
  transformer: .codable(Profile.self))

let database = Database()
let loaded = profiles.loading(LoadPolicy(freshFor: .seconds(300), staleFor: .seconds(86_400))) { request in
  .value(await database.profile(request.key))
}
try await loaded.removeAll()

let names = try await withThrowingTaskGroup(of: String.self) { group in
  for _ in 0..<100 {
    group.addTask { try await loaded.object(forKey: "grace").name }
  }
  var names: Set<String> = []
  for try await name in group { names.insert(name) }
  return names
}
print(names.count, "name,", await database.reads, "read of the database")
