import Foundation
import Strata
import TestSupport
import Testing

/// Streams of a store that callers without `await` use at the same time, on the threads that tasks need.
@Suite("Streams beside blocking callers", .timeLimit(.minutes(5)), .endsInTime)
struct BlockedStreamTests {
  @Test("callers that block all threads of tasks wait for no stream for ever")
  func mixed() async throws {
    let folder = TemporaryFolder()
    let store = try Storage<String, Data>(
      diskConfig: DiskConfig(name: "disk", directory: folder.url), transformer: .data.zlib(level: 1))
    let value = noise(600_000)
    try await store.write(forKey: "a", from: PartSequence(value))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          for round in 0..<6 {
            if number.isMultiple(of: 2) {
              // Blocks a thread of the cooperative pool while a stream has the turn.
              try Self.block(store, round.isMultiple(of: 2) ? value : nil)
            } else if round.isMultiple(of: 3) {
              try await store.write(forKey: "a", from: PartSequence(value))
            } else {
              #expect(try await store.read(forKey: "a").data() == value)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.read(forKey: "a").data() == value)
  }

  private static func block(_ store: Storage<String, Data>, _ value: Data?) throws {
    if let value { return try store.setObject(value, forKey: "a") }
    try store.removeInMemoryObject(forKey: "a")
    _ = try store.object(forKey: "a")
  }
}
