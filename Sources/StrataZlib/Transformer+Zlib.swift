public import StrataCompression

extension ByteTransformer {
  /// The default maximum size of a value for `zlib()`: 256 MiB, as for all compressors.
  public static var zlibMaximumSize: Int { Compression.maximumSize }

  /// Returns a transformer that compresses with zlib, in the format of RFC 1950, which other tools read.
  ///
  /// `level` goes from 1 (fastest) to 9 (smallest); any other level is a programming error and traps. Bytes written at
  /// one level can be read at every other. Bytes that would not shrink are stored as they are, after the byte 0xff. A
  /// value of more than `maximumSize` bytes throws `.tooLarge`, both on writing, since it could not be read again, and
  /// on reading, since the payload may be hostile. Truncated or damaged bytes, and bytes after the end of the stream,
  /// throw `.transformerFail` with zlib's code and message.
  ///
  /// A transformer keeps up to eight idle streams per direction, since creating one costs more than compressing 10 kB:
  /// reuse a transformer instead of creating new ones. It holds some 300 kB per thread that compresses at the same
  /// time.
  ///
  /// - Parameters:
  ///   - level: The level of compression, from 1 to 9.
  ///   - maximumSize: The maximum size of a value, in bytes.
  ///   - reading: The other compressors whose bytes are read too.
  public static func zlib(
    level: Int = 6, maximumSize: Int = zlibMaximumSize, reading: [Compression] = []
  ) -> ByteTransformer {
    .compressed(by: .zlib(level: level), reading: reading, maximumSize: maximumSize)
  }
}

extension Transformer {
  /// Returns this transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public func zlib(
    level: Int = 6, maximumSize: Int = ByteTransformer.zlibMaximumSize, reading: [Compression] = []
  ) -> Self {
    then(.zlib(level: level, maximumSize: maximumSize, reading: reading))
  }
}

extension TransformerFactory {
  /// Returns a transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public static func forZlib<U>(_ inner: Transformer<U>, level: Int = 6) -> Transformer<U> {
    inner.zlib(level: level)
  }
}
