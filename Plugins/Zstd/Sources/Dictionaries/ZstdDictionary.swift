import CZstd
import StrataCore
import Synchronization

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
/// `ZstdDictionaryStore`. The format is that of `zstd --train`.
public final class ZstdDictionary: Sendable {
  /// The number by which values refer to the dictionary.
  public let id: UInt32
  /// The bytes of the dictionary, as in a file.
  public let bytes: Data

  /// A hash of all bytes, since two dictionaries may have the same number.
  let digest: String
  private let decompressing: PreparedDictionary
  /// The tables of the levels that were used: few, so a search is faster than a hash.
  private let compressing = Locked<[(level: Int, prepared: PreparedDictionary)]>([])

  /// Creates a dictionary from the bytes of a trained one, for example by `zstd --train`.
  ///
  /// Throws a `CompressionError` if the bytes are damaged, or are not a dictionary with a number.
  public init(_ bytes: Data) throws {
    // A copy whose indices begin at zero.
    let bytes = Data(bytes)
    id = bytes.withUnsafeBytes { ZDICT_getDictID($0.baseAddress, $0.count) }
    guard id != 0 else {
      throw CompressionError(
        .invalidDictionary, "\(bytes.count) bytes are no dictionary of zstd that has a number")
    }
    let made = bytes.withUnsafeBytes { ZSTD_createDDict($0.baseAddress, $0.count) }
    guard let made else {
      throw CompressionError(
        .invalidDictionary, "the dictionary \(id) is damaged, or there is no memory for it")
    }
    decompressing = PreparedDictionary(made) { _ = ZSTD_freeDDict($0) }
    digest = SHA256.hash(Array(bytes)).prefix(16).map { String($0, radix: 16) }.joined(separator: ".")
    self.bytes = bytes
    // Unusable dictionaries are detected here rather than at the first write.
    _ = try prepared(for: 3)
  }

  var reading: OpaquePointer { decompressing.pointer }

  /// Returns the tables of a level, created once. They take some hundred kilobytes and some milliseconds.
  func prepared(for level: Int) throws -> PreparedDictionary {
    if let prepared = known(level) { return prepared }
    let made = bytes.withUnsafeBytes { ZSTD_createCDict($0.baseAddress, $0.count, CInt(level)) }
    guard let made else {
      throw CompressionError(
        .invalidDictionary, "the dictionary \(id) is damaged, or there is no memory for it")
    }
    let prepared = PreparedDictionary(made) { _ = ZSTD_freeCDict($0) }
    // If two threads have created the tables at once, the first ones are kept.
    return compressing.withLock { known in
      if let first = known.first(where: { $0.level == level }) { return first.prepared }
      known.append((level, prepared))
      return prepared
    }
  }

  private func known(_ level: Int) -> PreparedDictionary? {
    compressing.withLock { known in known.first { $0.level == level }?.prepared }
  }
}

/// A dictionary in libzstd's prepared form.
///
/// Unchecked: the memory that it points to never changes.
final class PreparedDictionary: @unchecked Sendable {
  let pointer: OpaquePointer
  /// A number that no other dictionary of the process has, unlike an address, which is used again. Never 0.
  let serial = PreparedDictionary.count.wrappingAdd(1, ordering: .relaxed).newValue
  private let free: (OpaquePointer) -> Void

  private static let count = Atomic<UInt64>(0)

  init(_ pointer: OpaquePointer, free: @escaping (OpaquePointer) -> Void) {
    (self.pointer, self.free) = (pointer, free)
  }

  deinit { free(pointer) }
}
