#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A conversion between values of one type and bytes.
///
/// ```swift
/// let dates = Transformer<Date>(
///   toData: { Data(String($0.timeIntervalSince1970).utf8) },
///   fromData: { data in
///     guard let seconds = Double(String(decoding: data, as: UTF8.self)) else { throw StorageError.decodingFailed }
///     return Date(timeIntervalSince1970: seconds)
///   })
/// try users.transform(to: dates).setObject(Date(), forKey: "started")
/// ```
///
/// Transformers compose: `.codable(User.self).then(.zlib())` is compressed JSON.
public struct Transformer<Value: Sendable>: Sendable {
  /// A single reference, so that copying and comparing transformers is cheap.
  @usableFromInline package let coding: Coding<Value>

  /// Creates a transformer from two functions. They are called on any thread, also concurrently.
  public init(
    toData: @escaping @Sendable (Value) throws -> Data, fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    self.init(format: ByteFormat(), toData: toData, fromData: fromData)
  }

  /// - Parameters:
  ///   - codable: the format for values of other types in the same store; `nil` for JSON.
  ///   - steps: the transformations of the bytes, which `then` has added.
  ///   - plain: decodes a value whose bytes `unstep` has transformed back; `nil` without steps.
  ///   - isBytes: whether a value is its own encoding, before the steps.
  package init(
    format: ByteFormat, codable: CodableFormat? = nil, isConfidential: Bool = false,
    isCurrent: (@Sendable (Data) -> Bool)? = nil,
    steps: [ByteTransformer] = [], isBytes: Bool = false,
    plain: (@Sendable (Data) throws -> Value)? = nil, unstep: (@Sendable (Data) throws -> Data)? = nil,
    toData: @escaping @Sendable (Value) throws -> Data,
    fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    coding = Coding(
      format: format, codable: codable, isConfidential: isConfidential, isCurrent: isCurrent, steps: steps,
      isBytes: isBytes, plain: plain, unstep: unstep, toData: toData, fromData: fromData)
  }

  /// Encodes a value.
  public var toData: @Sendable (Value) throws -> Data { coding.toData }
  /// Decodes a value. Throws if the bytes are not a valid encoding.
  public var fromData: @Sendable (Data) throws -> Value { coding.fromData }
  /// Whether the values are confidential: errors then contain no part of them.
  public var isConfidential: Bool { coding.isConfidential }
  var format: ByteFormat { coding.format }

  /// Returns this transformer followed by a transformation of its bytes, which is last when writing and first when
  /// reading.
  ///
  /// ```swift
  /// let users = Storage(back: disk, transformer: .codable(User.self).then(.zlib(level: 9)))
  /// ```
  ///
  /// The transformer before a confidential transformation, for example encryption, becomes confidential too; see
  /// `confidential()`. So does a transformation of the bytes of a confidential transformer.
  public func then(_ bytes: ByteTransformer) -> Self {
    let before = bytes.isConfidential ? confidential() : self
    let step = before.isConfidential ? bytes.withholding() : bytes
    let plain = before.coding.plain ?? before.fromData
    let unstep: @Sendable (Data) throws -> Data =
      if let former = before.coding.unstep { { try former(step.decode($0)) } } else { step.decode }
    return Transformer(
      format: format.then(bytes.format), codable: coding.codable, isConfidential: before.isConfidential,
      isCurrent: currency(after: bytes), steps: coding.steps + [bytes], isBytes: coding.isBytes,
      plain: plain, unstep: unstep,
      toData: { [toData = before.toData] in try step.encode(toData($0)) },
      fromData: { [fromData = before.fromData] data in
        if PartedFormat.isParted(data) { return try plain(PartedFormat.decode(data, by: unstep)) }
        return try fromData(step.decode(data))
      })
  }

  /// Returns a transformer of another type, in the `CodableFormat` of this transformer or, if it has none, in JSON. The
  /// bytes are transformed as by this transformer, for example compressed and encrypted.
  package func retyped<U: Codable & Sendable>(as type: U.Type) -> Transformer<U> {
    let other = Transformer<U>.codable(type, format: coding.codable ?? .json)
    let whole = coding.steps.reduce(other) { $0.then($1) }
    return isConfidential ? whole.confidential() : whole
  }

  /// Returns a function that checks whether this transformer, followed by `bytes`, would still produce the same encoded
  /// bytes. Returns `nil` if it always would.
  private func currency(after bytes: ByteTransformer) -> (@Sendable (Data) -> Bool)? {
    guard let isCurrent = coding.isCurrent else { return bytes.isCurrent }
    return { data in
      if let isLastStepCurrent = bytes.isCurrent, !isLastStepCurrent(data) { return false }
      // Bytes that can no longer be read are encoded again.
      do { return try isCurrent(bytes.decode(data)) } catch { return false }
    }
  }
}

extension Transformer where Value == Data {
  /// The bytes themselves, without any transformation.
  public static let data = Transformer(
    format: ByteFormat("data"), isBytes: true, toData: { $0 }, fromData: { $0 })
}

/// The functions and properties of a transformer.
///
/// Unchecked, because the compiler cannot check a subclass: every stored property is `let` and `Sendable`.
@usableFromInline
package final class Coding<Value: Sendable>: WidelyHeld, @unchecked Sendable {
  package let format: ByteFormat
  /// The format for other types of the same store; `nil` for JSON.
  package let codable: CodableFormat?
  package let isConfidential: Bool
  /// Returns whether encoded bytes are up to date: `false` if their encryption key has been replaced since. `nil` if
  /// bytes are always up to date.
  package let isCurrent: (@Sendable (Data) -> Bool)?
  /// The transformations of the bytes, which do not depend on the type.
  package let steps: [ByteTransformer]
  /// Whether a value is its own encoding, before the steps.
  package let isBytes: Bool
  /// Decodes a value whose bytes `unstep` has transformed back; `nil` without steps.
  package let plain: (@Sendable (Data) throws -> Value)?
  /// The inverse of all steps; `nil` without steps.
  package let unstep: (@Sendable (Data) throws -> Data)?
  package let toData: @Sendable (Value) throws -> Data
  package let fromData: @Sendable (Data) throws -> Value

  init(
    format: ByteFormat, codable: CodableFormat?, isConfidential: Bool,
    isCurrent: (@Sendable (Data) -> Bool)?, steps: [ByteTransformer], isBytes: Bool,
    plain: (@Sendable (Data) throws -> Value)?, unstep: (@Sendable (Data) throws -> Data)?,
    toData: @escaping @Sendable (Value) throws -> Data,
    fromData: @escaping @Sendable (Data) throws -> Value
  ) {
    self.format = format
    self.codable = codable
    self.isConfidential = isConfidential
    self.isCurrent = isCurrent
    self.steps = steps
    self.isBytes = isBytes
    self.plain = plain
    self.unstep = unstep
    self.toData = toData
    self.fromData = fromData
  }

  /// Returns whether both transformers read each other's bytes.
  @inlinable
  package func isSame(as other: Coding) -> Bool { self === other || hasSameFormat(as: other) }

  @usableFromInline
  func hasSameFormat(as other: Coding) -> Bool { format.isSame(as: other.format) }
}
