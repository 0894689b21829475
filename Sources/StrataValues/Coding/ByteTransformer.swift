#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reversible transformation of bytes, for example compression or encryption.
///
/// ```swift
/// let reversed = ByteTransformer(encode: { Data($0.reversed()) }, decode: { Data($0.reversed()) })
/// let users = Storage(back: disk, transformer: .codable(User.self).then(reversed))
/// ```
public struct ByteTransformer: Sendable {
  /// The transformation when a value is stored.
  public let encode: @Sendable (Data) throws -> Data
  /// The transformation when a value is read. Throws on bytes that `encode` did not produce.
  public let decode: @Sendable (Data) throws -> Data
  let format: ByteFormat
  let isConfidential: Bool
  let isCurrent: (@Sendable (Data) -> Bool)?

  /// Creates a transformation from two functions. They are called on any thread, also concurrently.
  public init(
    encode: @escaping @Sendable (Data) throws -> Data, decode: @escaping @Sendable (Data) throws -> Data
  ) {
    self.init(format: ByteFormat(), encode: encode, decode: decode)
  }

  /// Returns this transformation marked as confidential, for example encryption. Errors of the transformations before
  /// it then contain no part of the value.
  ///
  /// ```swift
  /// let masked = ByteTransformer(encode: cipher.mask, decode: cipher.unmask).confidential()
  /// let users = Storage(back: disk, transformer: .codable(User.self).then(masked))
  /// ```
  public func confidential() -> ByteTransformer {
    ByteTransformer(
      format: format, isConfidential: true, isCurrent: isCurrent, encode: encode, decode: decode)
  }

  /// Creates a transformation whose bytes every other transformation with the same format can read.
  ///
  /// - Parameter isCurrent: returns whether encoded bytes are up to date, for example encrypted with the current key;
  ///   `nil` if they always are.
  package init(
    format: ByteFormat = ByteFormat(), isConfidential: Bool = false,
    isCurrent: (@Sendable (Data) -> Bool)? = nil,
    encode: @escaping @Sendable (Data) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Data
  ) {
    self.format = format
    self.isConfidential = isConfidential
    self.isCurrent = isCurrent
    self.encode = encode
    self.decode = decode
  }
}
