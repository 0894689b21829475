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

  /// - Parameters:
  ///   - codable: the format in which values of other types would be written like these; `nil` for JSON.
  ///   - steps: the steps that follow over the bytes of any type, as `then` adds them.
  package init(
    format: ByteFormat, codable: CodableFormat? = nil, isConfidential: Bool = false,
    isCurrent: (@Sendable (Data) -> Bool)? = nil,
    steps: [ByteTransformer] = [],
    toData: @escaping @Sendable (Value) throws -> Data,
    fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    coding = Coding(
      format: format, codable: codable, isConfidential: isConfidential, isCurrent: isCurrent, steps: steps,
      toData: toData, fromData: fromData)
  }

  /// Turns a value into bytes.
  public var toData: @Sendable (Value) throws -> Data { coding.toData }
  /// Turns bytes into a value; throws on bytes that are none.
  public var fromData: @Sendable (Data) throws -> Value { coding.fromData }
  /// Whether the values are confidential: errors then tell nothing of them.
  public var isConfidential: Bool { coding.isConfidential }
  var format: ByteFormat { coding.format }

  /// This transformer with a further step over its bytes: last when writing, first when reading.
  ///
  /// What comes before a confidential step, encryption say, is confidential too; see `confidential()`. So is a step
  /// over the bytes of a confidential transformer.
  public func then(_ bytes: ByteTransformer) -> Self {
    let before = bytes.isConfidential ? confidential() : self
    let step = before.isConfidential ? bytes.withholding() : bytes
    return Transformer(
      format: format.then(bytes.format), codable: coding.codable, isConfidential: before.isConfidential,
      isCurrent: currency(after: bytes), steps: coding.steps + [bytes],
      toData: { [toData = before.toData] in try step.encode(toData($0)) },
      fromData: { [fromData = before.fromData] in try fromData(step.decode($0)) })
  }

  /// Another type in the format of this transformer (JSON if it has none that any type can be written in), with the
  /// steps over its bytes that this transformer has: compressed and encrypted as here.
  package func retyped<U: Codable & Sendable>(as type: U.Type) -> Transformer<U> {
    let other = Transformer<U>.codable(type, format: coding.codable ?? .json)
    let whole = coding.steps.reduce(other) { $0.then($1) }
    return isConfidential ? whole.confidential() : whole
  }

  /// Tells whether bytes are as both this transformer and the step after it would make them now; `nil` if they always
  /// are.
  private func currency(after bytes: ByteTransformer) -> (@Sendable (Data) -> Bool)? {
    guard let isCurrent = coding.isCurrent else { return bytes.isCurrent }
    return { data in
      if let isLastStepCurrent = bytes.isCurrent, !isLastStepCurrent(data) { return false }
      // Bytes that cannot be read any more are made anew.
      do { return try isCurrent(bytes.decode(data)) } catch { return false }
    }
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
  /// The format in which other types would be written like this one; `nil` for JSON.
  let codable: CodableFormat?
  let isConfidential: Bool
  /// Whether bytes are as they would be made now, or with a key that was replaced; `nil` if they always are.
  let isCurrent: (@Sendable (Data) -> Bool)?
  /// The last steps, which are taken whatever the type.
  let steps: [ByteTransformer]
  let toData: @Sendable (Value) throws -> Data
  let fromData: @Sendable (Data) throws -> Value

  init(
    format: ByteFormat, codable: CodableFormat?, isConfidential: Bool,
    isCurrent: (@Sendable (Data) -> Bool)?, steps: [ByteTransformer],
    toData: @escaping @Sendable (Value) throws -> Data,
    fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    self.format = format
    self.codable = codable
    self.isConfidential = isConfidential
    self.isCurrent = isCurrent
    self.steps = steps
    self.toData = toData
    self.fromData = fromData
  }

  /// Whether both read each other's bytes.
  @inlinable
  func isSame(as other: Coding) -> Bool { self === other || hasSameFormat(as: other) }

  @usableFromInline
  func hasSameFormat(as other: Coding) -> Bool { format.isSame(as: other.format) }
}
