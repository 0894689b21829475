#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ByteTransformer {
  /// Returns a transformer that compresses with one library, and can read the output of others.
  ///
  /// ```swift
  /// // Writes LZ4, and still reads what an earlier version has written by zlib.
  /// let bytes = ByteTransformer.compressed(by: .lz4(), reading: [.zlib()])
  /// ```
  ///
  /// Bytes that compression would not shrink are stored unchanged after one byte, 0xff. Every compressing transformer
  /// reads such values. Formats are distinguished by their first bytes. If no format recognizes the bytes, the error is
  /// the one that `writing` throws.
  ///
  /// - Parameters:
  ///   - writing: the compression of new values. It reads its own output too.
  ///   - reading: further compressions to read, so that a store migrates to another library with each write.
  ///   - maximumSize: the maximum size of a value in bytes. A larger value throws `StorageError.tooLarge`, both on
  ///     writing, since it could not be read again, and on reading, since the payload may be hostile.
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
    .tooLarge.with(
      "\(compression.name): the value has \(count) bytes; the limit is \(maximum)")
  }

  /// Returns the first compression that can read the bytes, else the first that recognizes them, else the writing one.
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
  /// Returns this transformer with its bytes compressed; see `ByteTransformer.compressed(by:reading:maximumSize:)`.
  public func compressed(
    by writing: Compression, reading: [Compression] = [], maximumSize: Int = Compression.maximumSize
  ) -> Self {
    then(.compressed(by: writing, reading: reading, maximumSize: maximumSize))
  }
}

/// Bytes that compression would not shrink, after a mark with which no compressed bytes begin. The mark differs from
/// the first bytes of zlib, zstd and LZ4 in at least four bits, so that a flipped bit does not turn one kind of value
/// into the other.
private enum StoredBytes {
  private static let mark: UInt8 = 0xff

  static func recognizes(_ data: Data) -> Bool { data.first == mark }

  static func marked(_ data: Data) -> Data {
    var bytes = Data(capacity: data.count + 1)
    bytes.append(mark)
    bytes.append(data)
    return bytes
  }

  /// Returns a copy without the mark: a slice would retain the mark, and its indices would not begin at zero.
  static func unmarked(_ data: Data) -> Data { Data(data.dropFirst()) }
}
