import StrataCore

/// The notations of bytes in signatures, URLs and object names.
enum Encoding {
  private static let digits = Array("0123456789abcdef".utf8)
  /// The SHA-256 of an empty body, in hexadecimal digits.
  static let hashOfNothing = hex(SHA256.hash([]))
  private static let upperDigits = Array("0123456789ABCDEF".utf8)

  /// Returns bytes as lowercase hexadecimal digits.
  static func hex(_ bytes: [UInt8]) -> String {
    let digits = digits
    return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() {
        text[2 * index] = digits[Int(byte >> 4)]
        text[2 * index + 1] = digits[Int(byte & 15)]
      }
      return bytes.count * 2
    }
  }

  /// Returns text with every byte percent-encoded except unreserved ones, as signatures require.
  static func percent(_ text: String, keepingSlashes: Bool = false) -> String {
    func isKept(_ byte: UInt8) -> Bool {
      isUnreserved(byte) || keepingSlashes && byte == UInt8(ascii: "/")
    }
    return text.utf8.allSatisfy(isKept) ? text : escaped(text.utf8, with: "%", keeping: isKept)
  }

  /// Returns whether text may be the value of a header field: it has no control characters except tabs.
  static func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
  }

  /// Returns bytes as text. Bytes that must not be kept become an escape character and two uppercase hexadecimal
  /// digits.
  static func escaped(
    _ bytes: some Sequence<UInt8>, with escape: Unicode.Scalar, keeping isKept: (UInt8) -> Bool
  ) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isKept(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: escape))
        encoded.append(upperDigits[Int(byte >> 4)])
        encoded.append(upperDigits[Int(byte & 15)])
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns the bytes of escaped text, or `nil` if an escape character is not followed by two digits.
  static func unescaped(_ text: some StringProtocol, with escape: Unicode.Scalar) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: escape) {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// Returns whether a byte is a letter, a digit, or one of `-._~`.
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
