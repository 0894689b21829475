public import StrataCompression

extension ByteTransformer {
  /// Returns a transformer that compresses with zstd; see `Compression.zstd(level:dictionary:checksum:)` and
  /// `compressed(by:reading:maximumSize:)`.
  public static func zstd(
    level: Int = 3, dictionary: ZstdDictionary? = nil, checksum: Bool = true, reading: [Compression] = [],
    maximumSize: Int = Compression.maximumSize
  ) -> ByteTransformer {
    .compressed(
      by: .zstd(level: level, dictionary: dictionary, checksum: checksum), reading: reading,
      maximumSize: maximumSize)
  }

  /// Returns a transformer that compresses with zstd and the dictionaries of a store; see
  /// `Compression.zstd(level:dictionaries:checksum:)` and `compressed(by:reading:maximumSize:)`.
  public static func zstd(
    level: Int = 3, dictionaries: ZstdDictionaryStore, checksum: Bool = true, reading: [Compression] = [],
    maximumSize: Int = Compression.maximumSize
  ) -> ByteTransformer {
    .compressed(
      by: .zstd(level: level, dictionaries: dictionaries, checksum: checksum), reading: reading,
      maximumSize: maximumSize)
  }
}

extension Transformer {
  /// Returns this transformer with its bytes compressed by zstd.
  ///
  /// ```swift
  /// let small = Transformer.codable(City.self).zstd(level: 9)
  /// // Reads what zlib wrote, and writes zstd: the store moves over with each write.
  /// let moving = Transformer.codable(City.self).zstd(reading: [.zlib()])
  /// ```
  ///
  /// The parameters are those of `Compression.zstd(level:dictionary:checksum:)` and
  /// `ByteTransformer.compressed(by:reading:maximumSize:)`.
  public func zstd(
    level: Int = 3, dictionary: ZstdDictionary? = nil, checksum: Bool = true, reading: [Compression] = [],
    maximumSize: Int = Compression.maximumSize
  ) -> Self {
    then(
      .zstd(
        level: level, dictionary: dictionary, checksum: checksum, reading: reading, maximumSize: maximumSize))
  }

  /// Returns this transformer with its bytes compressed by zstd, with the dictionaries of a store; see
  /// `Compression.zstd(level:dictionaries:checksum:)`.
  public func zstd(
    level: Int = 3, dictionaries: ZstdDictionaryStore, checksum: Bool = true, reading: [Compression] = [],
    maximumSize: Int = Compression.maximumSize
  ) -> Self {
    then(
      .zstd(
        level: level, dictionaries: dictionaries, checksum: checksum, reading: reading,
        maximumSize: maximumSize))
  }
}
