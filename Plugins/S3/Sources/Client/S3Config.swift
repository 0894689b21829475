#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The configuration of an S3 client: bucket, server, credentials and limits.
///
/// ```swift
/// let config = S3Config(
///   bucket: "models", region: "eu-central-1", credentials: .file(profile: "models"), timeout: .seconds(10))
/// ```
public struct S3Config: Sendable {
  /// The bucket, which must exist.
  public var bucket: String
  /// The region of the bucket. Servers other than AWS's usually accept any region.
  public var region: String
  /// The URL of the server, such as `http://localhost:9000`; `nil` for AWS.
  public var endpoint: URL?
  /// The place of the bucket's name in URLs.
  public var addressing: S3Addressing
  /// The source of the credentials; by default the environment, or else `~/.aws/credentials`.
  public var credentials: any S3CredentialsProvider
  /// The part of a request's body that its signature covers.
  public var payloadSigning: S3PayloadSigning
  /// The maximum number of concurrent requests. Others wait for their turn.
  public var connections: Int
  /// The time without progress after which a request fails, in whole seconds, at least one.
  public var timeout: Duration
  /// The maximum number of times that a request is sent before it fails, if sending it again is safe.
  public var attempts: Int
  /// The maximum number of bytes of a value in memory. Larger ones fail with `.tooLarge`: read and
  /// write them a part at a time.
  public var maximumValueSize: Int
  /// The number of bytes above which a value is uploaded in parts.
  public var multipartThreshold: Int
  /// The number of bytes of a part of an upload or download; AWS demands at least 5 MiB. Values that would need more
  /// than 10 000 parts use larger parts.
  public var partSize: Int
  /// Whether the parts of uploads have checksums (CRC-32C), which the server verifies, and which reads of large values
  /// verify if the server returns them. Set it to `false` for a server that refuses them.
  public var partChecksums: Bool

  /// Creates a configuration. It is checked when a client is created; the server is called only when a store is used.
  public init(
    bucket: String, region: String = "us-east-1", endpoint: URL? = nil,
    addressing: S3Addressing = .automatic, credentials: any S3CredentialsProvider = .automatic,
    payloadSigning: S3PayloadSigning = .automatic, connections: Int = 16, timeout: Duration = .seconds(30),
    attempts: Int = 4, maximumValueSize: Int = 512 << 20, multipartThreshold: Int = 16 << 20,
    partSize: Int = 5 << 20, partChecksums: Bool = true
  ) {
    self.bucket = bucket
    self.region = region
    self.endpoint = endpoint
    self.addressing = addressing
    self.credentials = credentials
    self.payloadSigning = payloadSigning
    self.connections = connections
    self.timeout = timeout
    self.attempts = attempts
    self.maximumValueSize = maximumValueSize
    self.multipartThreshold = multipartThreshold
    self.partSize = partSize
    self.partChecksums = partChecksums
  }
}
