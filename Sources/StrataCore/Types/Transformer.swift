#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How values of one type become bytes and come back.
///
/// Transformers are values and compose: `.codable(User.self).then(.zlib())` is JSON, compressed.
public struct Transformer<Value: Sendable>: Sendable {
  /// One word, so that to keep and to compare it costs next to nothing.
  @usableFromInline let coding: Coding<Value>

  /// Makes a transformer of two functions. They are called on any thread, also at the same time.
  public init(
    toData: @escaping @Sendable (Value) throws -> Data, fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    self.init(format: ByteFormat(), toData: toData, fromData: fromData)
  }

  init(
    format: ByteFormat, toData: @escaping @Sendable (Value) throws -> Data,
    fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    coding = Coding(format: format, toData: toData, fromData: fromData)
  }

  /// Turns a value into bytes.
  public var toData: @Sendable (Value) throws -> Data { coding.toData }
  /// Turns bytes into a value; throws on bytes that are none.
  public var fromData: @Sendable (Data) throws -> Value { coding.fromData }
  var format: ByteFormat { coding.format }

  /// This transformer with a further step over its bytes: last when writing, first when reading.
  public func then(_ bytes: ByteTransformer) -> Self {
    Transformer(
      format: format.then(bytes.format),
      toData: { [toData] in try bytes.encode(toData($0)) },
      fromData: { [fromData] in try fromData(bytes.decode($0)) })
  }
}

extension Transformer where Value == Data {
  /// Bytes as they are.
  public static let data = Transformer(format: ByteFormat("data"), toData: { $0 }, fromData: { $0 })
}

/// What a transformer consists of.
@usableFromInline
final class Coding<Value: Sendable>: Sendable {
  let format: ByteFormat
  let toData: @Sendable (Value) throws -> Data
  let fromData: @Sendable (Data) throws -> Value

  init(
    format: ByteFormat, toData: @escaping @Sendable (Value) throws -> Data,
    fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    self.format = format
    self.toData = toData
    self.fromData = fromData
  }

  /// Whether both read each other's bytes.
  @inlinable
  func isSame(as other: Coding) -> Bool { self === other || hasSameFormat(as: other) }

  @usableFromInline
  func hasSameFormat(as other: Coding) -> Bool { format.isSame(as: other.format) }
}
