import Foundation
import Strata
import StrataSodium
import TestSupport
import Testing

/// Encrypted values in one folder, changed by two processes.
@Suite(.endsInTime) struct EncryptedRivalUpdateTests {
  @Test(arguments: RivalUpdate.allCases)
  func everyChangeIsInTheSum(_ change: RivalUpdate) async throws {
    try await change.run("encrypted") {
      [TemporaryFolder().url.path]
    } open: { words in
      let disk = try DiskStorage<String>(config: DiskConfig(name: "n", directory: URL(filePath: words[0])))
      let ring = KeyRing(try Data(repeating: 1, count: 32).withUnsafeBytes { try SecretKey(bytes: $0) })
      let numbers = Storage(
        front: MemoryStorage(), back: disk.encrypted(with: ring, domain: "rivals"),
        transformer: .codable(Int.self))
      return RivalUpdate.Views(numbers: numbers.async, tallies: numbers.async.transform(to: Tally.self))
    }
  }
}
