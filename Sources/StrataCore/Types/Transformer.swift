#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How values of one type become bytes and come back.
///
/// Transformers are values and compose: `.codable(User.self).then(.zlib())` is JSON, compressed.
public struct Transformer<Value: Sendable>: Sendable {
  /// Turns a value into bytes.
  public let toData: @Sendable (Value) throws -> Data
  /// Turns bytes into a value; throws on bytes that are none.
  public let fromData: @Sendable (Data) throws -> Value
  @usableFromInline let format: ByteFormat

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
    self.format = format
    self.toData = toData
    self.fromData = fromData
  }

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
