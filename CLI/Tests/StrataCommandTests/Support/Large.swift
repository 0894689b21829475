import Foundation

@testable import StrataCommand

/// Values that are larger than a part.
enum Large {
  static let value = bytes((5 << 20) + 123)

  /// Returns bytes of which each 8 contain their number.
  static func bytes(_ count: Int, _ seed: UInt64 = 0) -> Data {
    var data = Data(capacity: count + 8)
    for number in 0..<UInt64((count + 7) / 8) {
      withUnsafeBytes(of: number &* 0x9E37_79B9_7F4A_7C15 ^ seed) { data.append(contentsOf: $0) }
    }
    return data.prefix(count)
  }

  /// Returns whether a store in the test's folder reads and writes parts.
  static func keepsParts(_ address: String, in strata: Strata) throws -> Bool {
    let secrets = Secrets(keyFile: nil, passwordFile: nil, environment: [:], mayAsk: false)
    let path = address.replacing("disk:", with: "disk:\(strata.place.path)/")
    return try Backends.open(path, OpenRequest(access: .read, secrets: secrets)).keepsParts
  }
}
