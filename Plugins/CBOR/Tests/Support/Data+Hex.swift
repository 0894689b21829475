import Foundation

extension Data {
  init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }

  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
