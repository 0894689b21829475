#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A file that contains the bytes of a stored value and nothing else.
///
/// ```swift
/// if let file = try await films.fileURL(forKey: "intro") { player.play(file.url) }   // Keep `file` while it plays.
/// ```
///
/// The file stays in place as long as this object exists. A removal, a new value or an eviction takes effect at once
/// for readers of the store, and the file is deleted afterwards. The file must not be changed.
public final class StoredFile: Sendable {
  /// The location of the file.
  public let url: URL
  private let release: @Sendable () -> Void

  /// Creates a file that the store keeps until `release` is called, at the end of this object.
  public init(_ url: URL, release: @escaping @Sendable () -> Void = {}) {
    self.url = url
    self.release = release
  }

  deinit { release() }
}
