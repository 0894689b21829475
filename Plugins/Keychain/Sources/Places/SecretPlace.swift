#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the secrets of services are kept: one kind of keychain.
///
/// Called on any thread, which it may block, also at the same time. Services and accounts come in the one form in which
/// all equal texts have equal bytes.
protocol SecretPlace: Sendable {
  /// What it is and where, for messages.
  var name: String { get }

  /// What is stored for some accounts; also what has expired, if it is still there.
  func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret]
  /// All accounts for which something is stored, and the seconds since 1970 at which it expires.
  func dates(of service: String) throws -> [String: Double?]
  /// Stores secrets in place of what was there. If it throws, that of each account is as it was, or as it should be.
  func save(_ secrets: [String: Data], until deadline: Deadline?, of service: String) throws
  /// Removes what is stored for some accounts, if anything is.
  func delete(_ accounts: [String], of service: String) throws
  /// Removes all that is stored for a service.
  func deleteAll(of service: String) throws
  /// Removes what has expired at a moment, in seconds since 1970.
  func sweep(_ service: String, at now: Double) throws
}

/// A secret as it is kept.
struct StoredSecret: Equatable {
  let value: Data
  /// The seconds since 1970 at which it expires; `nil` for never.
  let date: Double?
}

/// When a secret expires.
struct Deadline {
  /// In seconds since 1970, by the clock of the store.
  let date: Double
  /// In seconds from now.
  let remaining: Double
}
