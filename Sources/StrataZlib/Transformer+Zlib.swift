public import StrataCore

extension ByteTransformer {
  /// What `zlib()` reads and writes at most, unless it is told otherwise: 256 MiB, as all compressors.
  public static var zlibMaximumSize: Int { Compression.maximumSize }

  /// Compression by zlib, in the format of RFC 1950, which any other tool reads.
  ///
  /// `level` goes from 1, fast, to 9, small; anything else is a programming error and traps. Every level reads the
  /// bytes of every other. Bytes that would not become fewer are stored as they are, with the byte 0xff in front. A
  /// value of more than `maximumSize` bytes throws `.tooLarge`, when it is written and when it is read: what could
  /// never be read again is not written, and what was read may be hostile. Bytes that are cut short, damaged or
  /// followed by others throw `.transformerFail` with the code and the message of zlib.
  ///
  /// A transformer keeps up to eight streams of each direction between calls, since to make one costs more than to
  /// compress 10 kB with it: use one transformer again instead of making new ones. It holds some 300 kB for each
  /// thread that compresses at the same time.
  ///
  /// - Parameter reading: whose bytes are read as well.
  public static func zlib(
    level: Int = 6, maximumSize: Int = zlibMaximumSize, reading: [Compression] = []
  ) -> ByteTransformer {
    .compressed(by: .zlib(level: level), reading: reading, maximumSize: maximumSize)
  }
}

extension Transformer {
  /// This transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public func zlib(
    level: Int = 6, maximumSize: Int = ByteTransformer.zlibMaximumSize, reading: [Compression] = []
  ) -> Self {
    then(.zlib(level: level, maximumSize: maximumSize, reading: reading))
  }
}

extension TransformerFactory {
  /// A transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public static func forZlib<U>(_ inner: Transformer<U>, level: Int = 6) -> Transformer<U> {
    inner.zlib(level: level)
  }
}
