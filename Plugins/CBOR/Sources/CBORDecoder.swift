#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Decodes values of any `Decodable` type from CBOR (RFC 8949), including the CBOR of other programs.
///
/// The whole input is checked first, in one pass that takes a few nanoseconds an item. Lengths beyond the end,
/// truncated items, trailing bytes and nesting deeper than 512 levels are rejected before memory is allocated. Items of
/// indefinite length are supported. Numbers are converted between kinds if the value is preserved, and unneeded tags
/// are skipped. Of two equal keys in a map the first counts.
///
/// ```swift
/// let people = try CBORDecoder().decode([String].self, from: Data([0x82, 0x61, 0x61, 0x61, 0x62]))
/// ```
///
/// A decoder is a value and can be used on several threads at once.
public struct CBORDecoder: Sendable {
  /// The `userInfo` of decoders passed to `init(from:)`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates a decoder.
  public init() {}

  /// Decodes a value.
  ///
  /// - Throws: `DecodingError` with the coding path. It contains no values, except a number that does not fit.
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    try data.withUnsafeBytes { raw in
      guard let base = raw.baseAddress else {
        throw Self.malformed(CBORFlaw(offset: 0, reason: "there are no bytes"))
      }
      return try decode(
        type, from: CBORBytes(base: base.assumingMemoryBound(to: UInt8.self), count: raw.count))
    }
  }

  private func decode<T: Decodable>(_ type: T.Type, from bytes: CBORBytes) throws -> T {
    let hasIndefinite: Bool
    do { hasIndefinite = try CBORScan.check(bytes, depthLimit: CBORLimits.depth) } catch {
      throw Self.malformed(error)
    }
    guard hasIndefinite else { return try decodeDefinite(type, from: bytes) }
    var rewriter = CBORRewriter(bytes, isSorting: false)
    rewriter.item()
    return try withExtendedLifetime(rewriter) { try decodeDefinite(type, from: rewriter.output.bytes) }
  }

  private static func malformed(_ flaw: CBORFlaw) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: [], debugDescription: "not CBOR, at byte \(flaw.offset): \(flaw.reason)"))
  }

  private func decodeDefinite<T: Decodable>(_ type: T.Type, from bytes: CBORBytes) throws
    -> T
  {
    var reader = CBORReader.reading(bytes, userInfo: userInfo)
    defer { if !isKnownUniquelyReferenced(&reader) { reader.ownBytes() } }
    return try reader.value(type, at: CBORPlace(offset: 0, depth: 0))
  }
}
