import Foundation

@testable import StrataCommand

/// Values that are larger than a part.
enum Large {
  static let value = bytes((5 << 20) + 123)

  /// Returns bytes of which each 8 contain their number.
  static func bytes(_ count: Int, _ seed: UInt64 = 0) -> Data {
    let numbers = (0..<UInt64((count + 7) / 8)).map { $0 &* 0x9E37_79B9_7F4A_7C15 ^ seed }
    return numbers.withUnsafeBytes { Data($0) }.prefix(count)
  }

  /// Writes a file of some MiB, all of them with the same bytes.
  static func writeFile(_ file: URL, mebibytes: Int) throws {
    let part = bytes(1 << 20)
    try Data().write(to: file)
    let writer = try FileHandle(forWritingTo: file)
    for _ in 0..<mebibytes { try writer.write(contentsOf: part) }
    try writer.close()
  }

  /// Returns whether a store in the test's folder reads and writes parts.
  static func keepsParts(_ address: String, in strata: Strata) throws -> Bool {
    let secrets = Secrets(keyFile: nil, passwordFile: nil, environment: [:], mayAsk: false)
    let path = address.replacing("disk:", with: "disk:\(strata.place.path)/")
    return try Backends.open(path, OpenRequest(access: .read, secrets: secrets)).keepsParts
  }
}
