#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import Synchronization

/// Writes any `Encodable` value as CBOR (RFC 8949), which programs in most languages read.
///
/// Structs and dictionaries become maps with text keys, arrays become arrays; lengths are definite and every number
/// takes the fewest bytes that keep its value. `Data` and `[UInt8]` become byte strings, a `UUID` its 16 bytes, a `URL`
/// its text; a `Date` is written as it encodes itself, in seconds since 2001.
///
/// ```swift
/// let bytes = try CBOREncoder().encode(["Ada": [1, 2, 3]])
/// let back = try CBORDecoder().decode([String: [Int]].self, from: bytes)
/// ```
///
/// An encoder is a value and can be used on any thread, also at the same time. Encoding takes a small part of what JSON
/// takes, and allocates only the containers that `Codable` asks for, and the result.
public struct CBOREncoder: Sendable {
  /// Whether equal values have equal bytes: keys are sorted then, as section 4.2.1 of RFC 8949 asks. Costs a second
  /// pass.
  public var isDeterministic = false

  /// Whether the bytes begin with the tag 55799, by which other tools know CBOR. Three bytes.
  public var isSelfDescribed = false

  /// What the `encode(to:)` of types finds in `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Makes an encoder that writes keys in the order of encoding, and no tag in front.
  public init() {}

  /// Writes a value.
  ///
  /// - Throws: `EncodingError.invalidValue` for a value that is nested deeper than 512 levels or writes to a container
  ///   after it was done; what the `encode(to:)` of a type throws.
  public func encode<T: Encodable>(_ value: T) throws -> Data {
    let session = Self.resting.withLock { $0.popLast() } ?? CBORSession()
    defer {
      session.writer.pointee.reset()
      Self.resting.withLock { if $0.count < 8 { $0.append(session) } }
    }
    if !userInfo.isEmpty { session.writer.pointee.userInfo = userInfo }
    if isSelfDescribed { session.writer.pointee.buffer.appendHead(MajorType.tag, TagNumber.selfDescribed) }
    try session.encode(value, in: -1, key: 0, isDetached: false)
    guard isDeterministic else { return session.writer.pointee.buffer.data }
    var rewriter = CBORRewriter(session.writer.pointee.buffer.bytes, isSorting: true)
    rewriter.item()
    return rewriter.output.data
  }

  /// Buffers between two encodings: as many as threads encode at the same time, eight at most.
  private static let resting = Mutex<[CBORSession]>([])
}

extension CBORWriter {
  /// Forgets all but its memory.
  fileprivate mutating func reset() {
    buffer.removeAll(keeping: 64 << 10)
    nodes.truncate(to: 0)
    if !userInfo.isEmpty { userInfo = [:] }
    (innermost, depth) = (-1, 0)
  }
}
