import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// All properties of a request that may affect its response.
///
/// The equality of `URLRequest` is unsuitable for keys: on every platform it ignores the header fields and the body, so
/// that two users' requests for one URL are equal.
struct RequestIdentity: Hashable, Sendable {
  private let url: URL?
  private let mainDocumentURL: URL?
  private let method: String
  /// Keyed by lowercase name.
  private let fields: [String: String]
  private let body: Data?
  /// Two streams are equal only if they are the same object: their bytes can be read only once.
  private let stream: ObjectIdentifier?
  private let policy: URLRequest.CachePolicy
  private let handlesCookies: Bool
  private let allowsCellularAccess: Bool

  /// Creates the identity of a request.
  ///
  /// - Parameter fields: The header fields that will be sent, if more than the request's own are known.
  init(_ request: URLRequest, fields: HeaderFields? = nil) {
    url = request.url
    mainDocumentURL = request.mainDocumentURL
    method = request.httpMethod ?? "GET"
    self.fields = (fields ?? HeaderFields(request.allHTTPHeaderFields ?? [:])).valuesByName
    body = request.httpBody
    stream = request.httpBodyStream.map(ObjectIdentifier.init)
    policy = request.cachePolicy
    handlesCookies = request.httpShouldHandleCookies
    allowsCellularAccess = request.allowsCellularAccess
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(method)
    hasher.combine(fields)
    hasher.combine(body)
  }
}

extension RequestIdentity: CustomReflectable {
  /// A mirror without children: fields and body may contain secrets.
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
