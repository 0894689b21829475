import Foundation
import StrataSodium
import TestSupport

/// Random-looking bytes, equal for equal seeds.
func noise(_ count: Int, seed: UInt64 = 1) -> Data {
  var generator = SeededGenerator(seed: seed)
  return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
}

/// A key of 32 equal bytes.
func key(_ byte: UInt8) throws -> SecretKey {
  try [UInt8](repeating: byte, count: SecretKey.size).withUnsafeBytes { try SecretKey(bytes: $0) }
}

extension SecretKey {
  /// The bytes of the key, which the tests know anyway.
  var shown: Data { withUnsafeBytes { Data($0) } }
}
