import CZstd
import StrataCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What values of one kind have in common, so that each need not repeat it: small values become a third of what they
/// are without.
///
/// ```swift
/// let dictionary = try ZstdDictionary.trained(on: pages)
/// let small = Transformer.data.zstd(dictionary: dictionary)
/// ```
///
/// A value that was written with a dictionary cannot be read without it: keep its `bytes` for as long as the values, or
/// let a `ZstdDictionaryStore` do so. Its format is that of the tool `zstd --train`.
public final class ZstdDictionary: Sendable {
  /// The number by which values name it.
  public let id: UInt32
  /// The dictionary as a file has it.
  public let bytes: Data

  /// A hash of all bytes: two dictionaries may have one number.
  let digest: String
  private let decompressing: PreparedDictionary
  private let compressing = Locked<[Int: PreparedDictionary]>([:])

  /// Takes a dictionary that was trained before, by the tool `zstd --train` say.
  ///
  /// Throws a `CompressionError` if the bytes are damaged, or are no dictionary with a number.
  public init(_ bytes: Data) throws {
    // A copy that begins at zero.
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
    // What cannot be compressed with is found here, and not at the first write.
    _ = try prepared(for: 3)
  }

  var reading: OpaquePointer { decompressing.pointer }

  /// The tables that a level needs, made once: they take some hundred kilobytes, and some milliseconds.
  func prepared(for level: Int) throws -> PreparedDictionary {
    if let prepared = compressing.withLock({ $0[level] }) { return prepared }
    let made = bytes.withUnsafeBytes { ZSTD_createCDict($0.baseAddress, $0.count, CInt(level)) }
    guard let made else {
      throw CompressionError(
        .invalidDictionary, "the dictionary \(id) is damaged, or there is no memory for it")
    }
    let prepared = PreparedDictionary(made) { _ = ZSTD_freeCDict($0) }
    // Of two that made it at once the first counts.
    return compressing.withLock { known in
      if let first = known[level] { return first }
      known[level] = prepared
      return prepared
    }
  }
}

/// A dictionary as libzstd works with it.
///
/// Unchecked: what it points to never changes.
final class PreparedDictionary: @unchecked Sendable {
  let pointer: OpaquePointer
  private let free: (OpaquePointer) -> Void

  init(_ pointer: OpaquePointer, free: @escaping (OpaquePointer) -> Void) {
    (self.pointer, self.free) = (pointer, free)
  }

  deinit { free(pointer) }
}
