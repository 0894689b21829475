import Foundation
import StrataDisk

@main
enum Disk {
  static func main() throws {
    let users = try DiskStorage<String>(config: DiskConfig(name: "users"))
    try users.setObject(Data("Ada".utf8), forKey: "ada")
    print(try users.object(forKey: "ada").count)
  }
}
