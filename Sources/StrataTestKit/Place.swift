#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import StrataCore

/// Where a store under test lives, and by what clock.
public struct Place: Sendable {
  /// A folder of the store's own. It is there and empty at first, and removed after the test.
  public let url: URL
  /// The clock to give to the store. It stands still and is moved by the tests; a store that cannot take one is tested
  /// by waiting.
  public let clock: StorageClock
  /// The expiry to give to the store, for what is stored without one.
  public let expiry: Expiry

  /// The path of the folder, without a slash at its end.
  public var path: String {
    let path = url.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
