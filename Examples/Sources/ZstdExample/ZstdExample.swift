import Foundation
import StrataDisk
import StrataZstd

/// A user of a web shop.
struct User: Codable, Sendable {
  var id: Int
  var name: String
  var email: String
  var roles: [String]
}

/// A store of small values that trains its own dictionary, and compresses with it from then on.
@main
struct ZstdExample {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "strata-zstd-\(UUID().uuidString)")
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(error)") }
    }
    let trained = DispatchSemaphore(value: 0)
    let dictionaries = try ZstdDictionaryStore(
      in: DiskStorage<String>(
        config: DiskConfig(name: "dictionaries", directory: folder, durability: .power)),
      training: .automatic(after: 500) { outcome in
        if case .switched(let dictionary) = outcome {
          print("Trained a dictionary of \(dictionary.bytes.count) bytes.")
        }
        trained.signal()
      })
    let bytes = try DiskStorage<Int>(config: DiskConfig(name: "users", directory: folder))
    let users = bytes.transform(to: .codable(User.self).zstd(dictionaries: dictionaries))

    for id in 0..<500 { try users.setObject(user(id), forKey: id) }
    trained.wait()
    try users.setObject(user(500), forKey: 500)
    print(
      "User 499 takes \(try bytes.object(forKey: 499).count) bytes, user 500 \(try bytes.object(forKey: 500).count)."
    )
    print("Both are read: \(try users.object(forKey: 499).name), \(try users.object(forKey: 500).name).")
  }

  static func user(_ id: Int) -> User {
    User(
      id: id, name: "User \(id)", email: "user.\(id)@example.com",
      roles: id.isMultiple(of: 2) ? ["customer", "reviewer"] : ["customer", "newsletter"])
  }
}
