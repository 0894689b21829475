import CWideHash

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// CRC-32C, the checksum that S3 stores with each part of an upload.
struct CRC32C: Equatable, Sendable {
  private var value: UInt32 = 0

  /// Starts the checksum of bytes of which none are known yet.
  init() {}

  init(_ bytes: Data) { update(bytes) }

  /// Reads a checksum as S3 writes it. Returns `nil` if the text is none.
  init?(base64 text: String) {
    guard let bytes = Data(base64Encoded: text), bytes.count == 4 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func update(_ bytes: Data) {
    bytes.withUnsafeBytes { value = strata_crc32c(value, $0.baseAddress, $0.count) }
  }

  /// The four bytes, the highest one first.
  var bytes: Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

  /// The checksum as S3 writes it.
  var base64: String { bytes.base64EncodedString() }
}
