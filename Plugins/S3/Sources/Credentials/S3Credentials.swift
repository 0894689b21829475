#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The keys that sign requests.
///
/// ```swift
/// let credentials = S3Credentials(accessKeyID: "AKIAEXAMPLE", secretAccessKey: passphrase)
/// let config = S3Config(bucket: "models", credentials: credentials)
/// ```
///
/// Descriptions and dumps show neither the secret key nor the token.
public struct S3Credentials: Sendable {
  /// The public part, which is sent with requests.
  public var accessKeyID: String
  /// The secret part, which never leaves this process.
  public var secretAccessKey: String
  /// The token that belongs to temporary credentials.
  public var sessionToken: String?
  /// The date from which they are invalid. A client requests new ones a minute before; without a date it keeps them
  /// until the server rejects them as expired.
  public var expiration: Date?

  /// Creates credentials.
  public init(
    accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiration: Date? = nil
  ) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
    self.expiration = expiration
  }
}

extension S3Credentials: S3CredentialsProvider {
  /// These credentials.
  public func credentials() async throws -> S3Credentials { self }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The public part only.
  public var description: String { "credentials of \(accessKeyID)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
