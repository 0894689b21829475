internal import CSodium
import StrataCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that shows itself to nobody: it lives in memory that is locked, guarded and wiped, is neither printed nor
/// dumped, and is not `Codable`, so that it cannot get into a store, a log or a message by accident.
///
/// A chain takes it only by a transformer that encrypts:
///
/// ```swift
/// let tokens = Storage(
///   front: MemoryStorage(), back: disk, transformer: .secret(Token.self, with: ring))
/// try tokens.setObject(Secret(token), forKey: "ada")
/// try tokens.object(forKey: "ada").reveal()
/// ```
///
/// Each takes at least one page of the memory that the process may lock (`ulimit -l`, often 8 MB: some two thousand
/// secrets); where there is no more, `.backendFailed` is thrown and says so. A copy of the value shares the memory; the
/// last one wipes it.
public struct Secret<Value: Sendable>: Sendable {
  package let bytes: LockedBytes

  package init(_ bytes: LockedBytes) { self.bytes = bytes }

  /// Lends the bytes: those of a text in UTF-8, of `Data` as they are, of anything else as JSON. What is copied out of
  /// here is neither locked nor wiped.
  public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try bytes.withUnsafeBytes(body)
  }
}

extension Secret where Value: Codable {
  /// Takes a value in. The value that is given stays where it is, in ordinary memory: let go of it soon.
  ///
  /// Texts and `Data` are copied at once. Anything else is encoded as JSON, of which the encoder leaves copies in
  /// memory that was freed and is not wiped. Where that matters, use `Secret<Data>(count:fill:)`.
  public init(_ value: Value) throws { bytes = try SecretCoding.encode(value) }

  /// The value, in ordinary memory: keep it no longer than you need it. It is decoded each time.
  public func reveal() throws -> Value { try SecretCoding.decode(Value.self, from: bytes) }
}

extension Secret where Value == Data {
  /// A secret that `fill` writes straight into its memory: the bytes of a file or of a socket, say. Throws what `fill`
  /// throws.
  public init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    bytes = try LockedBytes(count: count, fill)
  }

  /// So many random bytes.
  public static func random(count: Int) throws -> Secret {
    try Secret(count: count) { Sodium.randomize($0) }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type and nothing else.
  public var description: String { "Secret<\(Value.self)>" }
  /// The type and nothing else.
  public var debugDescription: String { description }
  /// Nothing: a dump shows no parts.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
