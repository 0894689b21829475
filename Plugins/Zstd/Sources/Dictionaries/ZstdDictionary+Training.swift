import CZstd
public import StrataCompression

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ZstdDictionary {
  /// The default maximum size of a dictionary, in bytes.
  public static let usualSize = 64 << 10

  /// Trains a dictionary on samples.
  ///
  /// ```swift
  /// let dictionary = try ZstdDictionary.trained(on: samples)
  /// let pages = Storage(back: disk, transformer: .codable(User.self).zstd(dictionary: dictionary))
  /// ```
  ///
  /// A hundred values are enough for a good dictionary, a thousand for a better one; more gain little. Training takes
  /// some 0.1 s for 1 000 values of 355 bytes. The same samples result in the same dictionary.
  ///
  /// Throws a `CompressionError` with the code `.trainingFailed` if the samples are too few or have nothing in common.
  ///
  /// - Parameters:
  ///   - samples: the bytes of values like the ones that will be compressed.
  ///   - maximumSize: the maximum size of the dictionary in bytes, at least 256. It is at most half the size of all
  ///     samples, since a larger one would compress worse.
  public static func trained(on samples: [Data], maximumSize: Int = usualSize) throws -> ZstdDictionary {
    let pieces = samples.map { $0.prefix(Self.sampleSize) }
    var joined = Data()
    for piece in pieces { joined.append(piece) }
    let capacity = max(min(maximumSize, joined.count / 2), 256)
    var bytes = Data(count: capacity)
    let count = bytes.withUnsafeMutableBytes { room in
      joined.withUnsafeBytes { samples in
        ZDICT_trainFromBuffer(
          room.baseAddress, room.count, samples.baseAddress, pieces.map(\.count), CUnsignedInt(pieces.count))
      }
    }
    guard ZDICT_isError(count) == 0 else {
      throw CompressionError(
        .trainingFailed,
        "no dictionary could be trained on \(samples.count) samples of \(joined.count) bytes: "
          + "\(String(cString: ZDICT_getErrorName(count))). Pass more samples, for example a hundred.")
    }
    return try ZstdDictionary(bytes.prefix(count).numbered())
  }

  /// Trains a dictionary on random values of a store.
  ///
  /// - Parameters:
  ///   - store: the store. Its values are read as by any other caller.
  ///   - transformer: converts values to the bytes that will be compressed: the transformer of the chain, without
  ///     compression.
  ///   - samples: the number of values to read.
  ///   - maximumSize: the maximum size of the dictionary in bytes.
  public static func trained<S: SyncStorageAware>(
    on store: S, as transformer: Transformer<S.Value>, samples: Int = 1000, maximumSize: Int = usualSize
  ) throws -> ZstdDictionary {
    var keys = RandomSample<S.Key>(size: samples)
    try store.forEachKeyPage { for key in $0 { keys.add(key) } }
    var bytes: [Data] = []
    for key in keys.elements {
      if let value = try store.objectIfPresent(forKey: key) { bytes.append(try transformer.toData(value)) }
    }
    return try trained(on: bytes, maximumSize: maximumSize)
  }

  /// Trains a dictionary on some values of a store: the asynchronous variant of `trained(on:as:samples:maximumSize:)`.
  public static func trained<S: StorageAware>(
    on store: S, as transformer: Transformer<S.Value>, samples: Int = 1000, maximumSize: Int = usualSize
  ) async throws -> ZstdDictionary {
    var keys = RandomSample<S.Key>(size: samples)
    for try await key in store.keySequence() { keys.add(key) }
    var bytes: [Data] = []
    for key in keys.elements {
      if let value = try await store.objectIfPresent(forKey: key) {
        bytes.append(try transformer.toData(value))
      }
    }
    return try trained(on: bytes, maximumSize: maximumSize)
  }

  /// The number of bytes used of a sample. The rest of a large value is compressed by reference to its own beginning.
  static let sampleSize = 16 << 10
}

/// Dictionary numbers of two bytes, since each value contains one, from the range that the format leaves to private
/// use.
enum DictionaryNumber {
  static let range: ClosedRange<UInt32> = 32768...65535

  /// Returns the number for the contents behind the dictionary's header of eight bytes. Equal contents have the same
  /// number.
  static func proposed(for bytes: Data) -> UInt32 {
    let hash = SHA256.hash(Array(bytes.dropFirst(8)))
    return range.lowerBound + (UInt32(hash[0]) << 8 | UInt32(hash[1])) % UInt32(range.count)
  }

  static func after(_ number: UInt32) -> UInt32 { number == range.upperBound ? range.lowerBound : number + 1 }
}

extension Data {
  /// Returns the bytes of the dictionary with another number; by default the number proposed for its contents.
  func numbered(_ number: UInt32? = nil) -> Data {
    // The header: a magic number of four bytes, then the dictionary's number.
    var bytes = Data(prefix(4))
    bytes.append(littleEndian: number ?? DictionaryNumber.proposed(for: self))
    bytes.append(dropFirst(8))
    return bytes
  }
}
