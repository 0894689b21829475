import StrataEngines

/// The key of an entry's record in the database.
///
/// | key                             | bytes                                                                             |
/// |---------------------------------|-----------------------------------------------------------------------------------|
/// | 1 to 503 bytes                  | its canonical UTF-8                                                               |
/// | empty                           | `FE`                                                                              |
/// | longer                          | `FF` and the SHA-256 of its canonical UTF-8; the record contains the key itself   |
///
/// LMDB allows keys of 1 to 511 bytes, and the expiry index needs 8 of them. Neither `FE` nor `FF` occurs in UTF-8, so
/// the three kinds cannot collide.
struct RecordKey {
  static let longestPlain = 503
  private static let empty: UInt8 = 0xFE
  private static let hashed: UInt8 = 0xFF

  /// The bytes by which LMDB sorts and finds the record.
  let bytes: UnsafeRawBufferPointer
  /// The whole key, if `bytes` do not contain it.
  let whole: UnsafeRawBufferPointer?

  /// Returns the key's own text, or `nil` if only the record contains it.
  static func plainText(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    switch bytes.first {
    case hashed: nil
    case empty: bytes.part(..<0)
    default: bytes
    }
  }

  /// Calls `body` with the record key of a text. The record key is valid until `body` returns.
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
