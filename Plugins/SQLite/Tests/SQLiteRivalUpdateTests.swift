import Foundation
import Strata
import StrataSQLite
import TestSupport
import Testing

/// Typed values in one database, changed by two processes.
@Suite(.endsInTime) struct SQLiteRivalUpdateTests {
  @Test(arguments: [true, false], RivalUpdate.allCases)
  func everyChangeIsInTheSum(_ hasMemory: Bool, _ change: RivalUpdate) async throws {
    try await change.run("memory: \(hasMemory)") {
      [TestFile().path]
    } open: { words in
      let base = try SQLiteStorage<String>(config: SQLiteConfig(path: words[0], busyTimeout: 60))
      let numbers =
        hasMemory
        ? Storage(front: MemoryStorage<String, TypeWrapper>(), back: base, transformer: .codable(Int.self))
        : Storage(back: base, transformer: .codable(Int.self))
      return RivalUpdate.Views(
        numbers: WithoutAwait(numbers), tallies: WithoutAwait(numbers.transform(to: Tally.self)))
    }
  }
}
