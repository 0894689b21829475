package import Foundation

extension Data {
  /// Creates data from hexadecimal digits.
  package init(hex: String) {
    let digits = Array(hex)
    self.init(
      stride(from: 0, to: digits.count, by: 2).map { index in
        guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else {
          preconditionFailure("no hexadecimal digits: \(hex)")
        }
        return byte
      })
  }

  /// The bytes in hexadecimal digits.
  package var hex: String { map { String(format: "%02x", $0) }.joined() }
}
