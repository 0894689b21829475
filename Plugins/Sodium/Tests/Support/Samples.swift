import Foundation
import StrataSodium
import TestSupport

/// Bytes that look like nothing, the same for each seed.
func noise(_ count: Int, seed: UInt64 = 1) -> Data {
  var generator = SeededGenerator(seed: seed)
  return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
}

/// The key whose bytes are all the same.
func key(_ byte: UInt8) throws -> SecretKey {
  try [UInt8](repeating: byte, count: SecretKey.size).withUnsafeBytes { try SecretKey(bytes: $0) }
}

extension SecretKey {
  /// The bytes, for tests that know them anyway.
  var shown: Data { withUnsafeBytes { Data($0) } }
}
