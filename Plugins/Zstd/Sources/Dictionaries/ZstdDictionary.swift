import CZstd
import StrataCompression

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A dictionary for zstd: contents that values of one kind share, so that each does not repeat them. Small values
/// shrink to a third of their size without a dictionary.
///
/// ```swift
/// let dictionary = try ZstdDictionary.trained(on: pages)
/// let small = Transformer.data.zstd(dictionary: dictionary)
/// ```
///
/// A value written with a dictionary cannot be read without it: keep its `bytes` as long as the values, or use a
/// `ZstdDictionaryStore`. `zstd --train` writes the same format.
public final class ZstdDictionary: Sendable {
  /// The number by which values refer to the dictionary.
  public let id: UInt32
  /// The bytes of the dictionary, as in a file.
  public let bytes: Data

  /// A hash of all bytes, since two dictionaries may have the same number.
  let digest: String
  private let decompressing: DecompressionTables
  /// The tables of level 3, the default. They lead to the tables of other levels.
  private let compressing: CompressionTables

  /// Creates a dictionary from the bytes of a trained one, for example by `zstd --train`.
  ///
  /// Throws a `CompressionError` if the bytes are damaged, or are not a dictionary with a number.
  public init(_ bytes: Data) throws {
    // A copy whose indices begin at zero.
    let bytes = Data(bytes)
    id = bytes.withUnsafeBytes { ZDICT_getDictID($0.baseAddress, $0.count) }
    guard id != 0 else {
      throw CompressionError(
        .invalidDictionary, "these \(bytes.count) bytes are not a zstd dictionary with a number")
    }
    decompressing = try DecompressionTables(bytes, id)
    // Unusable dictionaries are detected here rather than at the first write.
    compressing = try CompressionTables(bytes, id, level: 3)
    digest = SHA256.hash(Array(bytes)).prefix(16).map { String($0, radix: 16) }.joined(separator: ".")
    self.bytes = bytes
  }

  var reading: OpaquePointer { decompressing.pointer }

  /// Returns the tables of a level, created once. They take some hundred kilobytes and some milliseconds.
  func tables(for level: Int) throws -> CompressionTables {
    try compressing.tables(for: level) { try CompressionTables(bytes, id, level: level) }
  }
}
