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

extension Data {
  /// The bytes that are written in hexadecimal digits.
  init(hex: String) {
    let digits = Array(hex)
    self.init(
      stride(from: 0, to: digits.count, by: 2).map { index in
        guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else {
          preconditionFailure("no hexadecimal digits: \(hex)")
        }
        return byte
      })
  }

  var hex: String { map { String(format: "%02x", $0) }.joined() }
}
