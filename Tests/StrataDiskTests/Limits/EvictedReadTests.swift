import Foundation
import StrataCore
import Testing

@testable import StrataDisk

struct EvictedReadTests {
  /// A batch read of evicted keys ends despite constant writes.
  @Test func aBatchEndsBesideEndlessWrites() throws {
    let folder = try TestFolder(.automatic)
    let reader = try folder.open(Int.self, maxSize: 300_000)
    let writer = try folder.open(Int.self, maxSize: 300_000)
    for key in 0..<3000 { try reader.setObject(bytes(300, seed: key), forKey: key, expiry: nil) }
    let left = try reader.keys().count
    #expect(left < 1200)
    let isDone = Locked(false)
    let thread = Thread {
      var round = 0
      while !isDone.withLock({ $0 }) {
        do { try writer.setObject(bytes(300, seed: round), forKey: 20_000, expiry: nil) } catch {
          Issue.record(error)
          return
        }
        round += 1
      }
    }
    thread.start()
    for _ in 0..<3 {
      let found = try reader.entries(forKeys: Array(0..<3000))
      #expect(found.count <= left)
      for (key, entry) in found { #expect(entry.object == bytes(300, seed: key)) }
    }
    isDone.withLock { $0 = true }
    while !thread.isFinished { sched_yield() }
  }
}
