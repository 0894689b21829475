public import StrataCompression

extension Compression {
  /// Returns the compression by LZ4 in its frame format, which the tool `lz4` reads. It is several times as fast as
  /// zlib and zstd, and compresses less.
  ///
  /// - Parameter checksum: whether each value ends with a checksum of four bytes, which detects damage.
  public static func lz4(checksum: Bool = true) -> Compression {
    Compression("lz4", LZ4Codec(checksum: checksum))
  }
}

extension ByteTransformer {
  /// Returns a transformer that compresses with LZ4; see `Compression.lz4(checksum:)` and
  /// `compressed(by:reading:maximumSize:)`.
  public static func lz4(
    checksum: Bool = true, reading: [Compression] = [], maximumSize: Int = Compression.maximumSize
  ) -> ByteTransformer {
    .compressed(by: .lz4(checksum: checksum), reading: reading, maximumSize: maximumSize)
  }
}

extension Transformer {
  /// Returns this transformer with its bytes compressed by LZ4.
  ///
  /// ```swift
  /// let fast = Transformer.codable(City.self).lz4()
  /// // Reads what zlib wrote, and writes LZ4: the store moves over with each write.
  /// let moving = Transformer.codable(City.self).lz4(reading: [.zlib()])
  /// ```
  ///
  /// The parameters are those of `Compression.lz4(checksum:)` and
  /// `ByteTransformer.compressed(by:reading:maximumSize:)`.
  public func lz4(
    checksum: Bool = true, reading: [Compression] = [], maximumSize: Int = Compression.maximumSize
  ) -> Self {
    then(.lz4(checksum: checksum, reading: reading, maximumSize: maximumSize))
  }
}
