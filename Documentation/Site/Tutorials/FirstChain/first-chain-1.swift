import Strata

struct User: Codable, Sendable {
  var name: String
  var visits = 0
}

let users = try Storage<String, User>(
  diskConfig: DiskConfig(name: "tutorial-users"),
  transformer: .codable(User.self))
