/// The part of a request's body that its signature covers.
///
/// ```swift
/// let config = S3Config(bucket: "models", payloadSigning: .signed)
/// ```
public enum S3PayloadSigning: Sendable, Hashable {
  /// `signed` over HTTP; `unsigned` over HTTPS, which protects the body itself.
  case automatic
  /// The hash of the whole body is signed. The server refuses a changed body before it stores anything.
  case signed
  /// The body is sent in chunks, each with its own signature. Only useful for servers that require it.
  case chunked
  /// The signature covers only the request's path, query and fields. Saves the time for hashing the body, some
  /// milliseconds per megabyte.
  case unsigned
}
