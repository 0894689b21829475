import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataSQLite

@Suite("SQLiteStorage keeps large values in parts", .endsInTime) struct SQLiteStreamTests {
  enum Setup: String, CaseIterable { case usual, limited }

  private func subject(_ setup: Setup) -> StreamSubject {
    let (file, time) = (TestFile(), ManualClock())
    return StreamSubject(clock: time) {
      let limit: UInt = setup == .limited ? 1 << 30 : 0
      return try SQLiteStorage<String>(
        config: SQLiteConfig(path: file.path, maxSize: limit, durability: .off, clock: time.clock))
    } partCount: {
      let database = try RawDatabase(file.path)
      let tables = try database.rows("SELECT name FROM sqlite_master WHERE name = 'entries_parts'")
      return tables.isEmpty ? 0 : Int(try database.rows("SELECT count(*) FROM entries_parts")[0]) ?? -1
    } damage: { number in
      try RawDatabase(file.path).run(
        "UPDATE entries_parts SET bytes = zeroblob(length(bytes)) WHERE number = \(number)"
      )
    }
  }

  @Test(arguments: StreamRule.allCases, Setup.allCases)
  func keeps(_ rule: StreamRule, _ setup: Setup) async throws { try await rule.check(subject(setup)) }
}
