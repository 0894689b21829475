import Foundation
import Strata
import TestSupport
import Testing

/// Two stores over one folder, each with its own memory, as in two processes.
@Suite("Two stores over one folder") struct SharedFolderTests {
  private let folder = TemporaryFolder()
  private var config: DiskConfig { DiskConfig(name: "users", directory: folder.url) }

  private func open() throws -> Storage<String, User> {
    try Storage(diskConfig: config, transformer: .codable(User.self))
  }

  @Test("a value that is not in memory is read as the other store has written it")
  func disk() throws {
    let (one, other) = (try open(), try open())
    try one.setObject(User(name: "Ada"), forKey: "ada")
    #expect(try other.object(forKey: "ada").name == "Ada")
  }

  @Test("a value removed from memory is read again, and no older one is written back")
  func memory() throws {
    let (one, other) = (try open(), try open())
    try one.setObject(User(name: "Ada"), forKey: "ada")
    #expect(try other.object(forKey: "ada").name == "Ada")
    try one.setObject(User(name: "Grace"), forKey: "ada")
    try other.removeInMemoryObject(forKey: "ada")
    #expect(try other.object(forKey: "ada").name == "Grace")
    #expect(try one.object(forKey: "ada").name == "Grace")
  }

  @Test("without memory each store reads the other's writes at once")
  func withoutMemory() throws {
    let stores = try (0..<2).map { _ in
      Storage(back: try DiskStorage<String>(config: config), transformer: .codable(User.self))
    }
    for round in 0..<10 {
      try stores[round % 2].setObject(User(name: "\(round)"), forKey: "ada")
      #expect(try stores[(round + 1) % 2].object(forKey: "ada").name == "\(round)")
    }
  }
}
