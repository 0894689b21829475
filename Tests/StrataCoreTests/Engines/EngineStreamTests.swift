import Foundation
import StrataCore
import StrataEngines
import TestSupport
import Testing

@Suite("EngineStorage keeps large values in parts", .endsInTime) struct EngineStreamTests {
  enum Setup: String, CaseIterable { case usual, limited, shortKeys }

  private func subject(_ setup: Setup) throws -> StreamSubject {
    let time = ManualClock()
    let engine = setup == .shortKeys ? SortedEngine(longestKey: 64, answersAtOnce: true) : SortedEngine()
    // All openers share the engine of the first.
    let first = try SortedStorage(place: "memory \(UUID())", clock: time.clock) { engine }
    return StreamSubject(clock: time) {
      try SortedStorage(place: first.place, maxSize: setup == .limited ? 1 << 30 : 0, clock: time.clock) {
        engine
      }
    } partCount: {
      withExtendedLifetime(first) { engine.keys.count { $0.first == UInt8(ascii: "?") } }
    } damage: { number in
      for key in engine.keys
      where key.first == UInt8(ascii: "?") && key.suffix(4) == [0, 0, 0, UInt8(number)] {
        let record = try key.withUnsafeBytes { try engine.read($0) { Data($0) } }
        guard var record else { continue }
        record[500] ^= 1
        try engine.write([EngineChange(key: key, record: record)])
      }
    }
  }

  @Test(arguments: StreamRule.allCases, Setup.allCases)
  func keeps(_ rule: StreamRule, _ setup: Setup) async throws { try await rule.check(subject(setup)) }
}
