public import StrataCompression

extension Compression {
  /// Returns the compression by zstd, in the format of RFC 8878, which the tool `zstd` reads.
  ///
  /// - Parameters:
  ///   - level: from -7 (fastest) to 22 (smallest); any other level is a programming error and traps. Bytes written at
  ///     one level can be read at every other.
  ///   - dictionary: contents that values share, so that small values need not repeat them. Values that were written
  ///     without a dictionary are read too.
  ///   - checksum: whether each value ends with a checksum of four bytes, which detects damage and a wrong dictionary.
  public static func zstd(
    level: Int = 3, dictionary: ZstdDictionary? = nil, checksum: Bool = true
  ) -> Compression {
    zstd(level, FixedDictionary(dictionary: dictionary), checksum)
  }

  /// Returns the compression by zstd with the dictionaries of a store, which keeps every dictionary that was ever used.
  ///
  /// Writes with the newest dictionary, and reads each value with the dictionary that it names. Reading a value whose
  /// dictionary is not in the store throws `CompressionError.Code.unknownDictionary`. For the other parameters see
  /// `zstd(level:dictionary:checksum:)`.
  public static func zstd(
    level: Int = 3, dictionaries: ZstdDictionaryStore, checksum: Bool = true
  ) -> Compression {
    zstd(level, dictionaries, checksum)
  }

  private static func zstd(
    _ level: Int, _ dictionaries: some DictionarySource, _ checksum: Bool
  ) -> Compression {
    precondition((-7...22).contains(level), "a level of zstd is from -7 to 22, not \(level)")
    return Compression(
      dictionaries.formatName, ZstdCodec(level: level, dictionaries: dictionaries, checksum: checksum))
  }
}
