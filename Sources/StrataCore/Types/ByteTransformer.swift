#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reversible step from bytes to bytes: compression or encryption, say.
public struct ByteTransformer: Sendable {
  /// The step taken when a value is stored.
  public let encode: @Sendable (Data) throws -> Data
  /// The step taken when a value is read; throws on bytes that `encode` did not make.
  public let decode: @Sendable (Data) throws -> Data
  let format: ByteFormat
  let isConfidential: Bool
  let isCurrent: (@Sendable (Data) -> Bool)?

  /// Makes a step of two functions. They are called on any thread, also at the same time.
  public init(
    encode: @escaping @Sendable (Data) throws -> Data, decode: @escaping @Sendable (Data) throws -> Data
  ) {
    self.init(format: ByteFormat(), encode: encode, decode: decode)
  }

  /// A step that hides what it is given, encryption say: errors of the steps before it tell nothing of the value.
  public func confidential() -> ByteTransformer {
    ByteTransformer(
      format: format, isConfidential: true, isCurrent: isCurrent, encode: encode, decode: decode)
  }

  /// A step whose bytes are read by every other step of the same format.
  ///
  /// - Parameter isCurrent: whether bytes are as `encode` would make them now; `nil` if they always are.
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
