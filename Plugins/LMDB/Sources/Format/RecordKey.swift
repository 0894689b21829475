import StrataCore

/// The bytes under which an entry stands in its database.
///
/// | key                             | bytes                                                                             |
/// |---------------------------------|-----------------------------------------------------------------------------------|
/// | 1 to 503 bytes                  | its canonical UTF-8 as it is                                                      |
/// | empty                           | `FE`                                                                              |
/// | longer                          | `FF` and the SHA-256 of its canonical UTF-8; the key itself stands in the record  |
///
/// LMDB takes keys of 1 to 511 bytes, and the index of deadlines needs 8 of them. Neither `FE` nor `FF` occurs in
/// UTF-8, so no two of the three kinds can meet.
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
    try text.withCanonicalUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      if (1...longestPlain).contains(bytes.count) { return try body(RecordKey(bytes: bytes, whole: nil)) }
      return try withUnusual(bytes, body)
    }
  }

  @inline(never)
  private static func withUnusual<R>(
    _ text: UnsafeRawBufferPointer, _ body: (RecordKey) throws -> R
  ) throws -> R {
    let short = text.isEmpty ? [empty] : [hashed] + SHA256.hash(Array(text))
    return try short.withUnsafeBytes { bytes in
      try body(RecordKey(bytes: bytes, whole: text.isEmpty ? nil : text))
    }
  }
}
