import Strata

struct User: Codable, Sendable {
  var name: String
  var visits = 0
}

struct Visitor: Codable, Sendable {
  var visits: Int
}

final class Reporter: Sendable {}

let users = try Storage<String, User>(
  diskConfig: DiskConfig(name: "tutorial-users", maxSize: 100_000_000),
  memoryConfig: MemoryConfig(countLimit: 1000),
  transformer: .codable(User.self).zlib())

try users.removeAll()
try users.setObject(User(name: "Ada"), forKey: "ada", expiry: .seconds(3600))
let ada = try users.update(forKey: "ada") { $0.visits += 1 }
print("\(ada.name), visit \(ada.visits)")

if try users.objectIfPresent(forKey: "grace") == nil {
  print("Grace is not stored")
}

let visitors = users.transform(to: Visitor.self)
print("visits:", try visitors.object(forKey: "ada").visits)

let reporter = Reporter()
let token = users.addStorageObserver(reporter) { _, _, change in
  print("changed:", change)
}
try users.setObject(User(name: "Grace"), forKey: "grace")
token.cancel()
