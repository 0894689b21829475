/// A server's refusal of a request: the `cause` of a `StorageError` of an S3 store.
///
/// ```swift
/// do {
///   try await objects.setObject(bytes, forKey: "small")
/// } catch let error as StorageError {
///   if let refusal = error.cause as? S3Error { print(refusal.status, refusal.code) }   // 403 "AccessDenied"
/// }
/// ```
public struct S3Error: Error, Hashable {
  /// The HTTP status.
  public let status: Int
  /// The server's name for the error, such as `AccessDenied`; empty if the response had no body.
  public let code: String
  /// The server's message.
  public let message: String
  /// The server's identifier of the request, for its operator; `nil` if the response had none.
  public let requestID: String?
}

extension S3Error: CustomStringConvertible {
  /// The status, code, message and request identifier in one line.
  public var description: String {
    var text = "HTTP \(status)"
    if !code.isEmpty { text += " \(code)" }
    if !message.isEmpty { text += ": \(message)" }
    if let requestID { text += " (request \(requestID))" }
    return text
  }
}
