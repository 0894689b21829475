public import StrataCore

extension ByteTransformer {
  /// What `zlib()` reads and writes at most, unless it is told otherwise: 256 MiB.
  ///
  /// A chain holds a value whole, so no useful one is larger; and a payload that swells to this size leaves even a
  /// small machine running. Deflate shrinks up to a thousandfold: without a bound, 1 MB of payload takes 1 GB of
  /// memory.
  public static var zlibMaximumSize: Int { 256 << 20 }

  /// Compression by zlib, in the format of RFC 1950, which any other tool reads.
  ///
  /// `level` goes from 1, fast, to 9, small; anything else is a programming error and traps. Every level reads the
  /// bytes of every other. A value of more than `maximumSize` bytes throws `.tooLarge`, when it is written and when it
  /// is read: what could never be read again is not written, and what was read may be hostile. Bytes that are cut
  /// short, damaged or followed by others throw `.transformerFail` with the code and the message of zlib.
  ///
  /// A transformer keeps up to eight streams of each direction between calls, since to make one costs more than to
  /// compress 10 kB with it: use one transformer again instead of making new ones. It holds some 300 kB for each
  /// thread that compresses at the same time.
  public static func zlib(level: Int = 6, maximumSize: Int = zlibMaximumSize) -> ByteTransformer {
    precondition((1...9).contains(level), "zlib has the levels 1 to 9; \(level) is none")
    let deflating = StreamPool(.deflating(level: level))
    let inflating = StreamPool(.inflating)
    return ByteTransformer(
      format: ByteFormat("zlib"),
      encode: { data in
        guard data.count <= maximumSize else {
          throw StorageError.tooLarge.with(
            "zlib: \(data.count) bytes, and \(maximumSize) are the most it may read back")
        }
        return try deflating.withStream { try $0.process(data, maximumSize: .max) }
      },
      decode: { data in try inflating.withStream { try $0.process(data, maximumSize: maximumSize) } })
  }
}

extension Transformer {
  /// This transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public func zlib(level: Int = 6, maximumSize: Int = ByteTransformer.zlibMaximumSize) -> Self {
    then(.zlib(level: level, maximumSize: maximumSize))
  }
}

extension TransformerFactory {
  /// A transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public static func forZlib<U>(_ inner: Transformer<U>, level: Int = 6) -> Transformer<U> {
    inner.zlib(level: level)
  }
}
