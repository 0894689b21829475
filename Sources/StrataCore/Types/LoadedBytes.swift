#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Recognizes bytes that a loading store wrote. StrataLoading, which this module does not import, defines their header:
/// `F5 9A`, a version, and after 24 bytes the sum of these.
@usableFromInline
enum LoadedBytes {
  /// Returns the error for bytes that a loading store wrote and that cannot be read otherwise; `nil` for other bytes.
  @usableFromInline
  static func error(reading bytes: Data) -> StorageError? {
    let header = bytes.prefix(25)
    guard header.count == 25, header.starts(with: [0xF5, 0x9A]),
      header.dropLast().reduce(0, &+) == header.last
    else { return nil }
    return .decodingFailed.with(
      "the value was written through a loading store: read it through the store that `loading` returns")
  }
}
