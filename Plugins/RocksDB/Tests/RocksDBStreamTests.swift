import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRocksDB

@Suite("RocksDBStorage keeps large values in parts", .endsInTime) struct RocksDBStreamTests {
  enum Setup: String, CaseIterable { case usual, limited }

  private func subject(_ setup: Setup) throws -> StreamSubject {
    let (folder, time) = (TestFolder(), ManualClock())
    let open: @Sendable () throws -> RocksDBStorage<String> = {
      try folder.open {
        $0.clock = time.clock
        if setup == .limited { $0.maxSize = 1 << 30 }
      }
    }
    return StreamSubject(clock: time, open: open) {
      try open().parts().count
    } damage: { number in
      let store = try open()
      for (key, record) in try store.parts() where key.suffix(4) == [0, 0, 0, UInt8(number)] {
        var record = record
        record[500] ^= 1
        try store.engine.write([EngineChange(key: key, record: record)])
      }
    }
  }

  @Test(arguments: StreamRule.allCases, Setup.allCases)
  func keeps(_ rule: StreamRule, _ setup: Setup) async throws { try await rule.check(subject(setup)) }
}

extension EngineStorage where Engine == RocksDBEngine {
  /// The records of parts.
  fileprivate func parts() throws -> [(key: [UInt8], record: Data)] {
    var parts: [(key: [UInt8], record: Data)] = []
    try [UInt8(ascii: "?")].withUnsafeBytes { start in
      try engine.scan(from: start) { key, record in
        guard key.first == UInt8(ascii: "?") else { return false }
        parts.append((Array(key), Data(record)))
        return true
      }
    }
    return parts
  }
}
