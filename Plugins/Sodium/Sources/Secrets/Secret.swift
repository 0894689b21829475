#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A secret value in memory that is locked, guarded and wiped. It is never printed or dumped, and is not `Codable`: it
/// cannot reach a store, a log or a message by accident.
///
/// A chain accepts it only through a transformer that encrypts:
///
/// ```swift
/// let tokens = Storage(
///   front: MemoryStorage(), back: disk, transformer: .secret(Token.self, with: ring))
/// try tokens.setObject(Secret(token), forKey: "ada")
/// try tokens.object(forKey: "ada").reveal()
/// ```
///
/// Each secret takes at least one page of the memory that the process may lock: `ulimit -l`, often 8 MB, about two
/// thousand secrets. If no more memory can be locked, the initializers throw `.backendFailed`. Copies of the value
/// share the memory; it is wiped when the last copy is released.
public struct Secret<Value: Sendable>: Sendable {
  package let bytes: LockedBytes

  package init(_ bytes: LockedBytes) { self.bytes = bytes }

  /// Calls `body` with the bytes: a text in UTF-8, `Data` unchanged, any other value as JSON. Bytes copied out of
  /// `body` are neither locked nor wiped.
  public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try bytes.withUnsafeBytes(body)
  }
}

extension Secret where Value: Codable {
  /// Creates a secret from a value. The original value stays in ordinary memory: release it soon.
  ///
  /// Texts and `Data` are copied directly. Any other value is encoded as JSON, and the encoder leaves copies in freed
  /// memory, which is not wiped. Where that matters, use `Secret<Data>(count:fill:)`.
  public init(_ value: Value) throws { bytes = try SecretCoding.encode(value) }

  /// Returns the value in ordinary memory: keep it no longer than needed. It is decoded on each call.
  public func reveal() throws -> Value { try SecretCoding.decode(Value.self, from: bytes) }
}

extension Secret where Value == Data {
  /// Creates a secret whose memory `fill` writes directly, for example from a file or a socket. Rethrows the error of
  /// `fill`.
  public init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    bytes = try LockedBytes(count: count, fill)
  }

  /// Returns a secret of `count` random bytes.
  ///
  /// ```swift
  /// let token = try Secret<Data>.random(count: 32)
  /// ```
  public static func random(count: Int) throws -> Secret {
    try Secret(count: count) { Sodium.randomize($0) }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type, without the value.
  public var description: String { "Secret<\(Value.self)>" }
  /// The type, without the value.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows nothing of the value.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
