#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A compression, by zlib or by the library of a plugin.
///
/// ```swift
/// // Writes with level 9, and reads what any level of zlib wrote.
/// let small = Transformer.codable(City.self).compressed(by: .zlib(level: 9))
/// ```
public struct Compression: Sendable {
  /// The implementation of a compression, which a plugin provides for its library.
  package protocol Codec: Sendable {
    /// Returns the compressed bytes, or `nil` if they would not be smaller.
    func compress(_ data: Data) throws -> Data?
    /// Returns the original bytes. Throws `StorageError.tooLarge`, before allocating memory for them, if there are more
    /// than `maximumSize`.
    func decompress(_ data: Data, maximumSize: Int) throws -> Data
    /// Returns whether the bytes are of this format, as far as their beginning shows.
    func recognizes(_ data: Data) -> Recognition
  }

  /// The result of examining the first bytes of a value.
  package enum Recognition {
    /// The bytes are of another format.
    case foreign
    /// The bytes are of this format, but something is missing, for example a dictionary. Reading them throws the
    /// reason.
    case unreadable
    /// The bytes are of this format.
    case readable
  }

  /// The default maximum size of a value for compressors: 256 MiB.
  ///
  /// A chain holds a value whole in memory, so larger values are rarely useful, and a payload that expands to this size
  /// leaves even a small machine running. Without a limit, 1 MB of hostile payload could take gigabytes of memory.
  public static let maximumSize = 256 << 20

  /// The name of the format. Two compressions that can read each other's output have the same name.
  let name: String
  let codec: any Codec

  package init(_ name: String, _ codec: some Codec) {
    self.name = name
    self.codec = codec
  }
}
