#if os(Linux)
  import Foundation
  import StrataCore
  import StrataRedis
  import TestSupport
  import Testing

  /// The memory that a large batch takes while it is sent.
  @Suite(.timeLimit(.minutes(2))) struct RedisBatchMemoryTests {
    @Test("sending a large batch takes memory for one copy, not for two") func oneCopy() async throws {
      let server = try await RedisServer()
      let store = try store(server.address, timeout: .seconds(60))
      // The values share their bytes, so that only the encoded batch takes memory.
      let (value, count) = (large(1 << 20), 64)
      let batch = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", value) })
      try await store.setObject(value, forKey: "0")
      FreedMemory.giveBack()
      let before = try residentMemory()
      // Resets the peak to the present memory.
      try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
      try await store.setObjects(batch, expiry: nil)
      let growth = try peakMemory() - before
      #expect(growth < 3 * count * value.count / 2, "\(growth >> 20) MB for a batch of \(count) MB")
      #expect(try await server.run("DBSIZE") == .integer(count))
    }
  }
#endif
