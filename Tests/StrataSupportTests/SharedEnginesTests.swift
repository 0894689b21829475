import Foundation
import StrataSupport
import TestSupport
import Testing

struct SharedEnginesTests {
  /// An engine that detects being opened twice, or used after its end.
  private final class Engine: Sendable {
    let place: String
    let isOpen = Shared(true)
    init(_ place: String) { self.place = place }
  }

  private let openPlaces = Shared<[String: Int]>([:])
  private let engines: SharedEngines<Engine>

  init() {
    let openPlaces = openPlaces
    engines = SharedEngines { engine in
      engine.isOpen.change { $0 = false }
      openPlaces.change { $0[engine.place, default: 0] -= 1 }
    }
  }

  private func lease(_ place: String) throws -> EngineLease<Engine> {
    try engines.lease(place) {
      let count = openPlaces.change { places in
        places[place, default: 0] += 1
        return places[place]
      }
      #expect(count == 1, "\(place) is open twice")
      return Engine(place)
    }
  }

  @Test func allUsersOfAPlaceShareItsEngine() throws {
    let (first, second, other) = (try lease("a"), try lease("a"), try lease("b"))
    #expect(first.engine === second.engine)
    #expect(first.engine !== other.engine)
    #expect(openPlaces.value == ["a": 1, "b": 1])
  }

  @Test func theLastUserClosesTheEngineAndTheNextOpensAnother() throws {
    var first: EngineLease? = try lease("a")
    var second: EngineLease? = try lease("a")
    let engine = try #require(first).engine
    first = nil
    #expect(engine.isOpen.value && openPlaces.value == ["a": 1])
    second = nil
    #expect(!engine.isOpen.value && openPlaces.value == ["a": 0])
    let third = try lease("a")
    #expect(third.engine !== engine && third.engine.isOpen.value)
    _ = (first, second)
  }

  @Test func whatCannotBeOpenedIsTriedAgain() throws {
    #expect(throws: Failure.first) { try engines.lease("a") { throw Failure.first } }
    let held = try lease("a")
    // The engine is open, so the closure is not called.
    let shared = try engines.lease("a") { throw Failure.second }
    #expect(shared.engine === held.engine)
  }

  @Test func noPlaceIsOpenTwiceAndNoEngineClosesUnderAUser() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<4 {
        group.addTask {
          try await onThread { () throws in
            var random = SeededGenerator(seed: UInt64(seed))
            var held: [EngineLease<Engine>] = []
            for _ in 0..<2000 {
              if held.count > 3 || (!held.isEmpty && Bool.random(using: &random)) {
                held.remove(at: Int.random(in: 0..<held.count, using: &random))
              } else {
                held.append(try lease("place \(Int.random(in: 0..<3, using: &random))"))
              }
              #expect(held.allSatisfy { $0.engine.isOpen.value })
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(openPlaces.value.values.allSatisfy { $0 == 0 })
  }

  @Test func oneFileHasOneIdentityWhateverThePath() throws {
    let folder = TemporaryFolder().url
    let (file, other) = (folder.appending(path: "file").path, folder.appending(path: "other").path)
    let link = folder.appending(path: "link").path
    for path in [file, other] { try Data("1234".utf8).write(to: URL(filePath: path)) }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let identity = try #require(FileIdentity(path: file))
    #expect(FileIdentity(path: link)?.text == identity.text)
    #expect(FileIdentity(path: folder.path + "/../\(folder.lastPathComponent)/file")?.text == identity.text)
    #expect(FileIdentity(path: other)?.text != identity.text)
    #expect(identity.size == 4 && identity.isRegular && !identity.isFolder)
    #expect(FileIdentity(path: folder.path)?.isFolder == true)
    #expect(FileIdentity(path: folder.path + "/none") == nil)
  }
}
