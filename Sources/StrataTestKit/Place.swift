#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// The location and the clock of a store under test.
///
/// ```swift
/// let subject = Subject("MyStore") { place in
///   try MyStore(path: place.path + "/entries.db", expiry: place.expiry, clock: place.clock)
/// }
/// ```
public struct Place: Sendable {
  /// A folder for the store alone. It exists and is empty at first, and is removed after the test.
  public let url: URL
  /// The clock to give to the store. It stands still unless the tests move it; a store that cannot take a clock is
  /// tested by waiting.
  public let clock: StorageClock
  /// The default expiry to give to the store.
  public let expiry: Expiry

  /// The path of the folder, without a slash at its end.
  public var path: String {
    let path = url.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
