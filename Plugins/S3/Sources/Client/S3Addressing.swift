/// The place of the bucket's name in URLs.
///
/// ```swift
/// let config = S3Config(bucket: "models", endpoint: endpoint, addressing: .virtualHost)
/// ```
public enum S3Addressing: Sendable, Hashable {
  /// In the host for AWS, unless the name contains dots, which certificates do not cover; in the path for other
  /// endpoints.
  case automatic
  /// `https://endpoint/bucket/name`
  case path
  /// `https://bucket.endpoint/name`
  case virtualHost
}
