public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The answer to a request: status and header fields, and the whole body.
public struct Response: Sendable {
  /// Status, header fields, and the URL that answered: another than was asked for, after a redirection.
  public let httpUrlResponse: HTTPURLResponse
  /// The body, with its content coding undone; empty if there was none.
  public let data: Data

  /// Makes a response, for an origin of your own or a test.
  public init(httpUrlResponse: HTTPURLResponse, data: Data) {
    self.httpUrlResponse = httpUrlResponse
    self.data = data
  }
}
