/// A request without a response: the cause of a `StorageError`.
///
/// ```swift
/// do { try await objects.removeObject(forKey: "film") } catch let error as StorageError {
///   if let cause = error.cause as? S3ConnectionError, !cause.isSent { print("the server was not reached: \(cause)") }
/// }
/// ```
public struct S3ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What prevented the response. Later versions may add reasons.
  public struct Reason: Hashable, Sendable {
    private let name: String

    /// Nothing arrived for as long as `S3Config.timeout`.
    public static let timedOut = Reason(name: "timedOut")
    /// The server has no address, or accepts no connection.
    public static let unreachable = Reason(name: "unreachable")
    /// The server's certificate, or the list of trusted ones, is not valid.
    public static let untrusted = Reason(name: "untrusted")
    /// The connection ended before the response.
    public static let lost = Reason(name: "lost")
    /// The request has an address to which nothing can be sent.
    public static let unsupported = Reason(name: "unsupported")
  }

  /// What prevented the response.
  public let reason: Reason
  /// Whether the server may have received the request, and may have executed it.
  public let isSent: Bool
  /// The words of the system.
  public let description: String

  /// Whether another attempt may succeed.
  var isPassing: Bool { ![.untrusted, .unsupported].contains(reason) }
}
