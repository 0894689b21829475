#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Encodes any `Encodable` value as CBOR (RFC 8949), which programs in most languages can read.
///
/// Structs and dictionaries become maps with text keys, arrays become arrays. Lengths are definite, and each number
/// takes the fewest bytes that keep its value. `Data` and `[UInt8]` become byte strings, a `UUID` its 16 bytes, a `URL`
/// its text. A `Date` is written as it encodes itself: in seconds since 2001.
///
/// ```swift
/// let bytes = try CBOREncoder().encode(["Ada": [1, 2, 3]])
/// let back = try CBORDecoder().decode([String: [Int]].self, from: bytes)
/// ```
///
/// An encoder is a value and can be used on several threads at once. Encoding takes a fraction of JSON's time. It
/// allocates only the result and the containers that `Codable` requests.
public struct CBOREncoder: Sendable {
  /// Whether equal values have equal bytes. Keys are then sorted as in section 4.2.1 of RFC 8949, at the cost of a
  /// second pass.
  public var isDeterministic = false

  /// Whether the bytes begin with the tag 55799, by which other tools recognise CBOR; it takes three bytes.
  public var isSelfDescribed = false

  /// The `userInfo` of encoders passed to `encode(to:)`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder that writes keys in the order of encoding, without the tag.
  public init() {}

  /// Encodes a value.
  ///
  /// - Throws: `EncodingError.invalidValue` for a value that is nested deeper than 512 levels or writes to a completed
  ///   container; errors of the types' `encode(to:)`.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    let session = Self.idle.take()
    defer {
      session.writer.pointee.reset()
      Self.idle.give(session)
    }
    if !userInfo.isEmpty { session.writer.pointee.userInfo = userInfo }
    if isSelfDescribed { session.writer.pointee.buffer.appendHead(MajorType.tag, TagNumber.selfDescribed) }
    try session.encode(value, in: -1, key: 0, isDetached: false)
    guard isDeterministic else { return session.writer.pointee.buffer.data }
    var rewriter = CBORRewriter(session.writer.pointee.buffer.bytes, isSorting: true)
    rewriter.item()
    return rewriter.output.data
  }

  /// Reusable buffers. As many are created as encodings run at the same time, and the memory of eight is kept.
  private static let idle = CBORSessionPool()
}

extension CBORWriter {
  /// Resets everything but the allocated memory.
  fileprivate mutating func reset() {
    buffer.removeAll(keeping: 64 << 10)
    nodes.truncate(to: 0)
    if !userInfo.isEmpty { userInfo = [:] }
    (innermost, depth) = (-1, 0)
  }
}
