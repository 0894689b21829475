import CLMDB
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataLMDB

@Suite("LMDBStorage keeps large values in parts", .endsInTime) struct LMDBStreamTests {
  enum Setup: String, CaseIterable { case usual, limited }

  private func subject(_ setup: Setup) -> StreamSubject {
    let (path, time) = (TemporaryFolder().url.path, ManualClock())
    let open: @Sendable () throws -> LMDBStorage<String> = {
      var config = LMDBConfig(path: path, durability: .off, clock: time.clock)
      if setup == .limited { config.maxSize = 1 << 30 }
      return try LMDBStorage<String>(config: config)
    }
    return StreamSubject(clock: time, open: open) {
      try open().partKeys().count
    } damage: { number in
      let engine = try open().engine
      for key in try open().partKeys() where key.suffix(4) == [0, 0, 0, UInt8(number)] {
        _ = try engine.write(storing: 0) { transaction in
          guard let parts = engine.partDatabases?.parts else { return false }
          try key.withUnsafeBytes { key in
            guard var record = try transaction.get(key, from: parts).map({ Data($0) }) else { return }
            record[500] ^= 1
            try record.withUnsafeBytes { _ = try transaction.put(MDB_val($0), key, into: parts, 0) }
          }
          return true
        }
      }
    }
  }

  @Test(arguments: StreamRule.allCases, Setup.allCases)
  func keeps(_ rule: StreamRule, _ setup: Setup) async throws { try await rule.check(subject(setup)) }
}

extension EngineStorage where Engine == LMDBEngine {
  fileprivate func partKeys() throws -> [[UInt8]] {
    try engine.read(together: true) { transaction in
      var keys: [[UInt8]] = []
      guard let parts = engine.partDatabases?.parts else { return keys }
      try transaction.each(in: parts) { key, _ in
        keys.append(Array(key))
        return true
      }
      return keys
    }
  }
}
