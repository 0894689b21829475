import Foundation
import StrataSQLite

@main
enum SQLite {
  static func main() throws {
    let users = try SQLiteStorage<String>(config: SQLiteConfig(path: "users.sqlite"))
    try users.setObject(Data("Ada".utf8), forKey: "ada")
    print(try users.object(forKey: "ada").count)
  }
}
