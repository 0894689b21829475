import StrataCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a transformer has its dictionaries from.
protocol DictionarySource: Sendable {
  /// The name of the format of bytes that are written with them.
  var formatName: String { get }
  /// Where they are, for errors.
  var place: String { get }
  /// What is written with; `nil` for none.
  var newest: ZstdDictionary? { get }
  /// What is read with, or `nil` if it is unknown. Throws if that cannot be found out.
  func dictionary(_ id: UInt32) throws -> ZstdDictionary?
  /// Hears what was written, and how many bytes it became.
  func wrote(_ data: Data, as count: Int, level: Int)
}

/// One dictionary or none, given by the caller.
struct FixedDictionary: DictionarySource {
  let dictionary: ZstdDictionary?

  var formatName: String { dictionary.map { "zstd with dictionary \($0.digest)" } ?? "zstd" }
  var place: String { "the transformer" }
  var newest: ZstdDictionary? { dictionary }
  func dictionary(_ id: UInt32) -> ZstdDictionary? { dictionary?.id == id ? dictionary : nil }
  func wrote(_ data: Data, as count: Int, level: Int) {}
}
