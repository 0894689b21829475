#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ByteTransformer {
  /// Compression by one library, reading what others wrote.
  ///
  /// ```swift
  /// // Writes LZ4, and still reads what an earlier version has written by zlib.
  /// let bytes = ByteTransformer.compressed(by: .lz4(), reading: [.zlib()])
  /// ```
  ///
  /// Bytes that would not become fewer are stored as they are, with one byte, 0xff, in front. Every transformer that
  /// is made here reads those. Formats are told apart by their first bytes; bytes that none of them knows are an error
  /// of `writing`'s.
  ///
  /// - Parameters:
  ///   - writing: how bytes are written. What it wrote is read too.
  ///   - reading: whose bytes are read as well, so that a store moves over to another library with each write.
  ///   - maximumSize: the most bytes of a value. More throw `StorageError.tooLarge`, when they are written and when
  ///     they are read: what could never be read again is not written, and what is read may be hostile.
  public static func compressed(
    by writing: Compression, reading: [Compression] = [], maximumSize: Int = Compression.maximumSize
  ) -> ByteTransformer {
    let readable = [writing] + reading
    return ByteTransformer(
      format: ByteFormat(readable.map(\.name).joined(separator: "|")),
      encode: { data in
        guard data.count <= maximumSize else { throw tooLarge(data.count, maximumSize, writing) }
        return try writing.codec.compress(data) ?? StoredBytes.marked(data)
      },
      decode: { data in
        if StoredBytes.recognizes(data) {
          guard data.count - 1 <= maximumSize else { throw tooLarge(data.count - 1, maximumSize, writing) }
          return StoredBytes.unmarked(data)
        }
        return try reader(of: data, among: readable).codec.decompress(data, maximumSize: maximumSize)
      })
  }

  private static func tooLarge(_ count: Int, _ maximum: Int, _ compression: Compression) -> StorageError {
    .tooLarge.with("\(compression.name): \(count) bytes, and the limit to what is read is \(maximum)")
  }

  /// The first that can read the bytes, else the first that knows why it cannot, else the one that writes.
  private static func reader(of data: Data, among readable: [Compression]) -> Compression {
    guard readable.count > 1 else { return readable[0] }
    var fallback: Compression?
    for compression in readable {
      switch compression.codec.recognizes(data) {
      case .readable: return compression
      case .unreadable: fallback = fallback ?? compression
      case .foreign: break
      }
    }
    return fallback ?? readable[0]
  }
}

extension Transformer {
  /// This transformer with its bytes compressed; see `ByteTransformer.compressed(by:reading:maximumSize:)`.
  public func compressed(
    by writing: Compression, reading: [Compression] = [], maximumSize: Int = Compression.maximumSize
  ) -> Self {
    then(.compressed(by: writing, reading: reading, maximumSize: maximumSize))
  }
}

/// Bytes that no compressor makes fewer, behind a byte that begins no compressed ones. It differs from the first bytes
/// of zlib, zstd and LZ4 in four bits and more, so that a changed bit does not make one kind of value the other.
private enum StoredBytes {
  private static let mark: UInt8 = 0xff

  static func recognizes(_ data: Data) -> Bool { data.first == mark }

  static func marked(_ data: Data) -> Data {
    var bytes = Data(capacity: data.count + 1)
    bytes.append(mark)
    bytes.append(data)
    return bytes
  }

  /// A copy: a slice would keep the mark, and indices that do not begin at zero.
  static func unmarked(_ data: Data) -> Data { Data(data.dropFirst()) }
}
