#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One kind of keychain, which stores the secrets of services by account.
///
/// Methods may be called on any thread, also concurrently, and may block it. Services and accounts are passed in
/// canonical form: equal texts have equal bytes.
protocol SecretPlace: Sendable {
  /// The kind and location of the keychain, for messages.
  var name: String { get }

  /// Returns the secrets of accounts. It may include expired secrets.
  func read(_ accounts: [String], of service: String) throws -> [String: StoredSecret]
  /// Returns all accounts that have a secret, and the seconds since 1970 at which it expires.
  func dates(of service: String) throws -> [String: Double?]
  /// Stores secrets in place of the old ones. If it throws, each account has either its old or its new secret.
  func save(_ secrets: [String: Data], until deadline: Deadline?, of service: String) throws
  /// Removes the secrets of accounts, if there are any.
  func delete(_ accounts: [String], of service: String) throws
  /// Removes all secrets of a service.
  func deleteAll(of service: String) throws
  /// Removes the secrets of a service that have expired at `now`, in seconds since 1970.
  func sweep(_ service: String, at now: Double) throws
}

/// A stored secret.
struct StoredSecret: Equatable {
  let value: Data
  /// The seconds since 1970 at which it expires; `nil` for never.
  let date: Double?
}

/// The expiry of a secret.
struct Deadline {
  /// In seconds since 1970, by the clock of the store.
  let date: Double
  /// In seconds from now.
  let remaining: Double
}
