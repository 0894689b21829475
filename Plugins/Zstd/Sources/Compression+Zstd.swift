public import StrataCore

extension Compression {
  /// zstd in the format of RFC 8878, which the tool `zstd` reads.
  ///
  /// - Parameters:
  ///   - level: -7, fast, to 22, small; anything else is a programming error and traps. Every level reads the bytes of
  ///     every other.
  ///   - dictionary: what values have in common, which small ones then need not repeat. Values that were written
  ///     without one are read too.
  ///   - checksum: whether each value has four bytes by which damage is found, and a wrong dictionary.
  public static func zstd(
    level: Int = 3, dictionary: ZstdDictionary? = nil, checksum: Bool = true
  ) -> Compression {
    zstd(level, FixedDictionary(dictionary: dictionary), checksum)
  }

  /// zstd with the dictionaries of a store, which keeps every dictionary that was ever used.
  ///
  /// Writes with the newest dictionary, and reads with the one that a value names. Reading a value whose dictionary is
  /// not in the store throws `CompressionError.Code.unknownDictionary`. For the other parameters see
  /// `zstd(level:dictionary:checksum:)`.
  public static func zstd(
    level: Int = 3, dictionaries: ZstdDictionaryStore, checksum: Bool = true
  ) -> Compression {
    zstd(level, dictionaries, checksum)
  }

  private static func zstd(
    _ level: Int, _ dictionaries: any DictionarySource, _ checksum: Bool
  ) -> Compression {
    precondition((-7...22).contains(level), "zstd has the levels -7 to 22; \(level) is none")
    return Compression(
      dictionaries.formatName, ZstdCodec(level: level, dictionaries: dictionaries, checksum: checksum))
  }
}
