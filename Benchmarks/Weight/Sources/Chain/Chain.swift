import Strata

struct User: Codable, Sendable {
  var name: String
  var visits = 0
}

@main
enum Chain {
  static func main() throws {
    let users = try Storage<String, User>(
      diskConfig: DiskConfig(name: "users", maxSize: 100_000_000),
      memoryConfig: MemoryConfig(countLimit: 1000),
      transformer: .codable(User.self).zlib())
    try users.setObject(User(name: "Ada"), forKey: "ada", expiry: .seconds(3600))
    let ada = try users.update(forKey: "ada") { $0.visits += 1 }
    print("\(ada.name), visit \(ada.visits)")
  }
}
