/// How the bodies of requests are protected.
///
/// ```swift
/// let config = S3Config(bucket: "models", payloadSigning: .signed)
/// ```
public enum S3PayloadSigning: Sendable, Hashable {
  /// Signed over HTTP; unsigned over HTTPS, which protects the body itself.
  case automatic
  /// The hash of the whole body is signed. The server refuses a changed body before it stores anything.
  case signed
  /// The body is sent in chunks, each with its own signature. For servers that require it: the others gain nothing.
  case chunked
  /// Only the request's path, query and fields are signed. Saves the time of hashing, some milliseconds a megabyte.
  case unsigned
}
