public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The response to a request: status, header fields, and the whole body.
///
/// ```swift
/// let response = try await web.retrieve(forKey: .url(url))
/// print(response.httpUrlResponse.statusCode, response.data.count)
/// ```
public struct Response: Sendable {
  /// Status, header fields, and the final URL, which differs from the request's after a redirection.
  public let httpUrlResponse: HTTPURLResponse
  /// The body, with its content coding decoded; empty if the response had none.
  public let data: Data

  /// Creates a response, for your own origin or a test.
  public init(httpUrlResponse: HTTPURLResponse, data: Data) {
    self.httpUrlResponse = httpUrlResponse
    self.data = data
  }
}

extension Response {
  /// The response without the cookies that it sets.
  var withoutCookies: Response {
    let fields = HeaderFields(of: httpUrlResponse)
    guard fields != fields.withoutCookies, let url = httpUrlResponse.url,
      let bare = HTTPURLResponse(
        url: url, statusCode: httpUrlResponse.statusCode, httpVersion: "HTTP/1.1",
        headerFields: fields.withoutCookies.dictionary)
    else { return self }
    return Response(httpUrlResponse: bare, data: data)
  }
}

extension Response: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Status, URL and size of the body. Header fields and the body are omitted, so that responses can be logged.
  public var description: String {
    "\(httpUrlResponse.statusCode) from \(httpUrlResponse.url?.withoutSecrets ?? "(no URL)"), \(data.count) bytes"
  }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children: `dump` shows no secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
