import Foundation
import StrataSodium

/// A key of 32 equal bytes.
func key(_ byte: UInt8) throws -> SecretKey {
  try [UInt8](repeating: byte, count: SecretKey.size).withUnsafeBytes { try SecretKey(bytes: $0) }
}

extension SecretKey {
  /// The bytes of the key, which the tests know anyway.
  var shown: Data { withUnsafeBytes { Data($0) } }
}
