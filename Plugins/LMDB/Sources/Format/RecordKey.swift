import StrataCore

/// The bytes under which an entry stands in its database.
///
/// | key                             | bytes                                                                             |
/// |---------------------------------|-----------------------------------------------------------------------------------|
/// | 1 to 503 bytes                  | its canonical UTF-8 as it is                                                      |
/// | empty                           | `FE`                                                                              |
/// | longer                          | `FF` and the SHA-256 of its canonical UTF-8; the key itself stands in the record  |
///
/// LMDB takes keys of 1 to 511 bytes, and the index of deadlines needs 8 of them. Neither `FE` nor `FF` occurs in UTF-8, so no two
/// of the three kinds can meet.
struct RecordKey {
  static let longestPlain = 503
  private static let empty: UInt8 = 0xFE
  private static let hashed: UInt8 = 0xFF

  /// What LMDB sorts and finds it by.
  let bytes: UnsafeRawBufferPointer
  /// The whole key, where `bytes` do not tell it.
  let whole: UnsafeRawBufferPointer?

  /// The key's own text, or `nil` if that stands in the record.
  static func plainText(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    switch bytes.first {
    case hashed: nil
    case empty: UnsafeRawBufferPointer(rebasing: bytes[..<0])
    default: bytes
    }
  }

  /// Calls `body` with the record key of a text, which is valid until `body` returns.
  @inline(__always)
  static func with<R>(_ text: String, _ body: (RecordKey) throws -> R) throws -> R {
    // Most keys are short, ASCII and native: their own bytes are handed on, without a copy.
    let direct = try text.utf8.withContiguousStorageIfAvailable { utf8 -> R? in
      let bytes = UnsafeRawBufferPointer(utf8)
      guard isPlain(bytes) else { return nil }
      return try body(RecordKey(bytes: bytes, whole: nil))
    }
    if let direct, let result = direct { return result }
    return try withCanonical(text.canonicalUTF8, body)
  }

  private static func withCanonical<R>(_ text: [UInt8], _ body: (RecordKey) throws -> R) throws -> R {
    try text.withUnsafeBytes { whole in
      if (1...longestPlain).contains(whole.count) { return try body(RecordKey(bytes: whole, whole: nil)) }
      let short = whole.isEmpty ? [empty] : [hashed] + SHA256.hash(text)
      return try short.withUnsafeBytes { bytes in
        try body(RecordKey(bytes: bytes, whole: whole.isEmpty ? nil : whole))
      }
    }
  }

  /// Whether the bytes are a record key as they are: ASCII is canonical.
  @inline(__always)
  private static func isPlain(_ utf8: UnsafeRawBufferPointer) -> Bool {
    guard !utf8.isEmpty, utf8.count <= longestPlain else { return false }
    var all: UInt8 = 0
    for byte in utf8 { all |= byte }
    return all < 0x80
  }
}
