import CZstd
public import StrataCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ZstdDictionary {
  /// The most bytes of a dictionary, unless it is asked for another size.
  public static let usualSize = 64 << 10

  /// Makes a dictionary of what samples have in common.
  ///
  /// A hundred values make a good one, a thousand a better one; more bring little. It takes some 0.1 s for 1 000 values
  /// of 355 bytes. The same samples make the same dictionary.
  ///
  /// Throws a `CompressionError` with the code `.trainingFailed` if the samples are too few or have nothing in common.
  ///
  /// - Parameter maximumSize: the most bytes of the dictionary, 256 at least. It takes no more than half of what the
  ///   samples have, for a larger one would compress worse.
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
        "\(samples.count) samples of \(joined.count) bytes made no dictionary: "
          + "\(String(cString: ZDICT_getErrorName(count))). Give more samples, a hundred say.")
    }
    return try ZstdDictionary(bytes.prefix(count).numbered())
  }

  /// Makes a dictionary of some of the values of a store.
  ///
  /// - Parameters:
  ///   - store: the store, whose values are read as any caller reads them.
  ///   - transformer: how its values become the bytes that are then compressed: that of the chain, without compression.
  ///   - samples: how many values are read, at random.
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

  /// Makes a dictionary of some of the values of a store; see `trained(on:as:samples:maximumSize:)` without `await`.
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

  /// What is taken of a sample: the rest of a large value is found by its own beginning.
  static let sampleSize = 16 << 10
}

/// Numbers that take two bytes in each value, of those that the format leaves to everybody.
enum DictionaryNumber {
  static let range: ClosedRange<UInt32> = 32768...65535

  /// The number of what begins behind the head of eight bytes: the same bytes have the same one.
  static func proposed(for bytes: Data) -> UInt32 {
    let hash = SHA256.hash(Array(bytes.dropFirst(8)))
    return range.lowerBound + (UInt32(hash[0]) << 8 | UInt32(hash[1])) % UInt32(range.count)
  }

  static func after(_ number: UInt32) -> UInt32 { number == range.upperBound ? range.lowerBound : number + 1 }
}

extension Data {
  /// The bytes of a dictionary with a number of its own; by default the one that its contents propose.
  func numbered(_ number: UInt32? = nil) -> Data {
    let number = number ?? DictionaryNumber.proposed(for: self)
    // A magic number of four bytes, then the dictionary's.
    var bytes = Data(prefix(4))
    Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(dropFirst(8))
    return bytes
  }
}
