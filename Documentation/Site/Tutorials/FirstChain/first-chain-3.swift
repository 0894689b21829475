import Strata

struct User: Codable, Sendable {
  var name: String
  var visits = 0
}

let users = try Storage<String, User>(
  diskConfig: DiskConfig(name: "tutorial-users", maxSize: 100_000_000),
  memoryConfig: MemoryConfig(countLimit: 1000),
  transformer: .codable(User.self).zlib())

try users.removeAll()
try users.setObject(User(name: "Ada"), forKey: "ada", expiry: .seconds(3600))
print(try users.object(forKey: "ada").name)
