import Foundation
import StrataRedis

@main
enum Redis {
  static func main() async throws {
    let users = try RedisStorage<String>(namespace: "users")
    try await users.setObject(Data("Ada".utf8), forKey: "ada")
    print(try await users.object(forKey: "ada").count)
  }
}
