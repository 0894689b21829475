#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The source of a transformer's dictionaries.
protocol DictionarySource: Sendable {
  /// The name of the format of bytes written with these dictionaries.
  var formatName: String { get }
  /// The location of the dictionaries, for errors.
  var place: String { get }
  /// The dictionary for new values; `nil` for none.
  var newest: ZstdDictionary? { get }
  /// Returns the dictionary with a number, or `nil` if it is unknown. Throws if the source cannot be read.
  func dictionary(_ id: UInt32) throws -> ZstdDictionary?
  /// Records a written value and its compressed size.
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
