#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An access key with its secret, with which requests are signed.
///
/// ```swift
/// let credentials = S3Credentials(accessKeyID: "AKIAEXAMPLE", secretAccessKey: passphrase)
/// let config = S3Config(bucket: "models", credentials: credentials)
/// ```
///
/// Descriptions and dumps show neither the secret key nor the token.
public struct S3Credentials: Sendable {
  /// The public identifier of the key, which is sent with requests.
  public var accessKeyID: String
  /// The secret key, which is never sent.
  public var secretAccessKey: String
  /// The session token, if the credentials are temporary.
  public var sessionToken: String?
  /// The date at which the credentials expire. A client requests new ones a minute earlier. Without a date, it keeps
  /// them until the server rejects them as expired.
  public var expiration: Date?

  /// Creates credentials. They are not checked before the first request.
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
  /// Returns these credentials.
  public func credentials() async throws -> S3Credentials { self }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The public identifier only.
  public var description: String { "credentials of \(accessKeyID)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
