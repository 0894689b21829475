public import StrataCore

extension ByteTransformer {
  /// The default maximum size of a value for `zlib()`: 256 MiB.
  ///
  /// A chain holds a value whole in memory, so larger values are rarely useful, and a payload that inflates to this
  /// size leaves even a small machine running. Deflate compresses up to a thousandfold: without a limit, 1 MB of
  /// payload could take 1 GB of memory.
  public static var zlibMaximumSize: Int { 256 << 20 }

  /// Returns a transformer that compresses with zlib, in the format of RFC 1950, which other tools read.
  ///
  /// `level` goes from 1 (fastest) to 9 (smallest); any other level is a programming error and traps. Bytes written at
  /// one level can be read at every other. A value of more than `maximumSize` bytes throws `.tooLarge`, both on
  /// writing, since it could not be read again, and on reading, since the payload may be hostile. Truncated or damaged
  /// bytes, and bytes after the end of the stream, throw `.transformerFail` with zlib's code and message.
  ///
  /// A transformer keeps up to eight idle streams per direction, since creating one costs more than compressing 10 kB:
  /// reuse a transformer instead of creating new ones. It holds some 300 kB per thread that compresses at the same
  /// time.
  public static func zlib(level: Int = 6, maximumSize: Int = zlibMaximumSize) -> ByteTransformer {
    precondition((1...9).contains(level), "zlib has the levels 1 to 9, not \(level)")
    let deflating = StreamPool(.deflating(level: level))
    let inflating = StreamPool(.inflating)
    return ByteTransformer(
      format: ByteFormat("zlib"),
      encode: { data in
        guard data.count <= maximumSize else {
          throw StorageError.tooLarge.with(
            "zlib: the value has \(data.count) bytes, and the maximum is \(maximumSize)")
        }
        return try deflating.withStream { try $0.process(data, maximumSize: .max) }
      },
      decode: { data in try inflating.withStream { try $0.process(data, maximumSize: maximumSize) } })
  }
}

extension Transformer {
  /// Returns this transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public func zlib(level: Int = 6, maximumSize: Int = ByteTransformer.zlibMaximumSize) -> Self {
    then(.zlib(level: level, maximumSize: maximumSize))
  }
}

extension TransformerFactory {
  /// Returns a transformer with its bytes compressed; see `ByteTransformer.zlib`.
  public static func forZlib<U>(_ inner: Transformer<U>, level: Int = 6) -> Transformer<U> {
    inner.zlib(level: level)
  }
}
