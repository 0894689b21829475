import Foundation
import Strata

struct City: Codable, Sendable {
  var name: String
  var founded: Int
}

enum Place: String, Sendable {
  case kharkiv, lisbon, oslo
}

/// Small stores, combined into larger ones.
@main
struct AlgebraExample {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "strata-algebra-\(UUID().uuidString)")
    let files = try DiskStorage<String>(config: DiskConfig(name: "cities", directory: folder))
    defer {
      do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(folder.path)") }
    }
    try await tiers(over: files)
    try await settings(over: files)
    try await failures()
  }

  /// Memory in front of a disk, typed, with an enum as keys.
  static func tiers(over files: DiskStorage<String>) async throws {
    let memory = MemoryStorage<String, City>()
    let cities = memory.combined(with: files.mapJSONObject(City.self)).mapKeys(to: Place.self, \.rawValue)

    print("Memory combined with files\n")
    try await cities.set(City(name: "Kharkiv", founded: 1654), forKey: .kharkiv)
    try await cities.set(City(name: "Oslo", founded: 1040), forKey: .oslo)
    try await memory.removeAll()
    print("  in memory      ", try await memory.keys().sorted())
    print("  kharkiv        ", try await cities.retrieve(forKey: .kharkiv).founded)
    print("  in memory now  ", try await memory.keys().sorted())
    do {
      print("  lisbon         ", try await cities.retrieve(forKey: .lisbon))
    } catch StorageError.notFound {
      print("  lisbon          is not there")
    }
    let raw = files.mapString()
    print("  the file says  ", try await raw.retrieve(forKey: "oslo").count, "characters of JSON")
    print("\n" + indented(cities.storageHierarchy()))
  }

  /// One value of a store, changed by many tasks concurrently.
  static func settings(over files: DiskStorage<String>) async throws {
    print("\nOne key with a default value, changed by many tasks\n")
    let visits = files.mapJSONObject([String].self).singleKey("visits").defaulting(to: []).serial()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 {
        group.addTask { try await visits.update(forKey: ()) { $0.append("visit \(number)") } }
      }
      try await group.waitForAll()
    }
    print("  kept           ", try await visits.retrieve(forKey: ()).count, "of 20")

    let names = MemoryStorage(dictionary: ["a": "Ada", "g": "Grace"])
    let years = MemoryStorage(dictionary: ["a": 1815, "g": 1906])
    let people = zip(names, years)
    let (name, year) = try await people.retrieve(forKey: "g")
    print("  zipped         ", name, year)
  }

  /// The difference between an absent value and a failure.
  static func failures() async throws {
    print("\nAbsent is not failed\n")
    do {
      print("  as it is       ", try await Broken().retrieve(forKey: "x"))
    } catch {
      print("  as it is        throws:", error)
    }
    print("  a default      ", await Broken().defaulting(to: 0).retrieve(forKey: "x"))
    let recovered = Broken().recover { _ in -1 }
    print("  recovered      ", await recovered.retrieve(forKey: "x"))
  }

  static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }
}

/// A custom store: it implements one function and can be composed.
struct Broken: ReadableStorage {
  struct OutOfOrder: Error {}
  func retrieve(forKey key: String) async throws -> Int { throw OutOfOrder() }
}
