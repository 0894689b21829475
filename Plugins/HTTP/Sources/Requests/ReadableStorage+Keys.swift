public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ReadableStorage where Key == Request {
  /// The same storage with plain URLs for keys.
  public func mapURLKeys() -> some ReadableStorage<URL, Value> {
    mapKeys(to: URL.self, Request.url)
  }

  /// The same storage with `URLRequest`s for keys.
  ///
  /// Put memories and caches below, where the keys are ``Request``s: the equality of `URLRequest` ignores header fields
  /// and body, so that one user's request would find another's response.
  public func mapURLRequestKeys() -> some ReadableStorage<URLRequest, Value> {
    mapKeys(to: URLRequest.self, Request.urlRequest)
  }
}

extension ReadableStorage where Key == URL {
  /// The same storage with URLs as text for keys. A text that is no URL throws `.invalidURL`.
  public func mapStringKeys() -> some ReadableStorage<String, Value> {
    mapKeys(to: String.self) { text in
      guard let url = URL(string: text) else {
        throw StorageError.invalidURL.with("this text is no URL", key: text)
      }
      return url
    }
  }
}
