#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A way to make bytes fewer: that of zlib, or of a plugin's library.
///
/// ```swift
/// // Writes with level 9, and reads what any level of zlib wrote.
/// let small = Transformer.codable(City.self).compressed(by: .zlib(level: 9))
/// ```
public struct Compression: Sendable {
  /// What a way of compressing does. A plugin implements this for a library of its own.
  package protocol Codec: Sendable {
    /// Returns the bytes compressed, or `nil` if they would not become fewer.
    func compress(_ data: Data) throws -> Data?
    /// Returns what `compress` was given. Throws `StorageError.tooLarge`, before it takes the memory, if that is more
    /// than `maximumSize` bytes.
    func decompress(_ data: Data, maximumSize: Int) throws -> Data
    /// How sure it is from the first bytes that it can read them.
    func recognizes(_ data: Data) -> Recognition
  }

  /// What the first bytes tell.
  package enum Recognition {
    /// The bytes are of another format.
    case foreign
    /// The bytes are of this format and lack something, a dictionary say: to read them fails with the reason.
    case unreadable
    /// The bytes are of this format.
    case readable
  }

  /// What compressors read and write at most, unless they are told otherwise: 256 MiB.
  ///
  /// A chain holds a value whole, so no useful one is larger; and a payload that swells to this size leaves even a
  /// small machine running. Without a limit, 1 MB of hostile payload takes gigabytes of memory.
  public static let maximumSize = 256 << 20

  /// The name of the format, to compare transformers. Two that read each other's bytes have one name.
  let name: String
  let codec: any Codec

  package init(_ name: String, _ codec: some Codec) {
    self.name = name
    self.codec = codec
  }
}
