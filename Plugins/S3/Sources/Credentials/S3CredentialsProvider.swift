/// Provides the credentials that sign requests.
///
/// ```swift
/// struct Role: S3CredentialsProvider {
///   func credentials() async throws -> S3Credentials {
///     let pass = try await identity.token(for: "s3")
///     return S3Credentials(
///       accessKeyID: "cache", secretAccessKey: pass.text,
///       expiration: Date(timeIntervalSinceNow: Double(pass.seconds)))
///   }
/// }
/// ```
///
/// A client calls it for the first request, when the credentials are about to expire, and when the server rejects them
/// as expired, but never concurrently. If it throws, the request fails with `.invalidConfiguration`. The text of your
/// own provider's error is not repeated there, since it may contain secrets.
public protocol S3CredentialsProvider: Sendable {
  /// Returns valid credentials.
  func credentials() async throws -> S3Credentials
}

extension S3CredentialsProvider where Self == S3Credentials {
  /// Returns a provider of fixed credentials.
  public static func fixed(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) -> Self
  {
    S3Credentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken)
  }
}

extension S3CredentialsProvider where Self == S3CredentialsClosure {
  /// Returns a provider that calls a function: `config.credentials = .asking { try await vault.keys() }`.
  public static func asking(_ ask: @escaping @Sendable () async throws -> S3Credentials) -> Self {
    S3CredentialsClosure(ask: ask)
  }
}

/// A provider that calls a function.
///
/// ```swift
/// let config = S3Config(
///   bucket: "models",
///   credentials: .asking {
///     S3Credentials(accessKeyID: "cache", secretAccessKey: try await identity.token(for: "s3").text)
///   })
/// ```
public struct S3CredentialsClosure: S3CredentialsProvider {
  fileprivate let ask: @Sendable () async throws -> S3Credentials

  /// Calls the function.
  public func credentials() async throws -> S3Credentials { try await ask() }
}
