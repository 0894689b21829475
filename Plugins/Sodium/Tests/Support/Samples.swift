import Foundation
import StrataSodium

/// The key whose bytes are all the same.
func key(_ byte: UInt8) throws -> SecretKey {
  try [UInt8](repeating: byte, count: SecretKey.size).withUnsafeBytes { try SecretKey(bytes: $0) }
}

extension SecretKey {
  /// The bytes, for tests that know them anyway.
  var shown: Data { withUnsafeBytes { Data($0) } }
}
