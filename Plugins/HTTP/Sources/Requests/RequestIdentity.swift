import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Everything about a request that may decide its answer.
///
/// `URLRequest`'s own equality is no key: on every platform it ignores the header fields and the body, so that two
/// users' requests for one URL are equal.
struct RequestIdentity: Hashable, Sendable {
  private let url: URL?
  private let mainDocumentURL: URL?
  private let method: String
  /// By names in small letters.
  private let fields: [String: String]
  private let body: Data?
  /// Two streams are the same only if they are one object: their bytes can be read once.
  private let stream: ObjectIdentifier?
  private let policy: URLRequest.CachePolicy
  private let handlesCookies: Bool
  private let allowsCellularAccess: Bool

  /// The identity of a request.
  ///
  /// - Parameter fields: The header fields that will be sent, where more than the request's own is known.
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
  /// Nothing: fields and body may hold secrets.
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
