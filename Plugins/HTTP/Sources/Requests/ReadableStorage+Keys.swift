public import Foundation
import StrataAlgebra
public import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ReadableStorage where Key == Request {
  /// Returns this storage with `URL` keys.
  ///
  /// ```swift
  /// let response = try await web.mapURLKeys().retrieve(forKey: url)
  /// ```
  public func mapURLKeys() -> some ReadableStorage<URL, Value> {
    mapKeys(to: URL.self, Request.url)
  }

  /// Returns this storage with `URLRequest` keys.
  ///
  /// ```swift
  /// let response = try await web.mapURLRequestKeys().retrieve(forKey: URLRequest(url: url))
  /// ```
  ///
  /// Place memory and caches below, where keys are ``Request``s. The equality of `URLRequest` ignores header fields and
  /// body, so that one user's request would find another's response.
  public func mapURLRequestKeys() -> some ReadableStorage<URLRequest, Value> {
    mapKeys(to: URLRequest.self, Request.urlRequest)
  }
}

extension ReadableStorage where Key == URL {
  /// Returns this storage with URLs as text for keys. An invalid URL throws `.invalidURL`.
  ///
  /// ```swift
  /// let response = try await web.mapURLKeys().mapStringKeys().retrieve(forKey: "https://example.com/")
  /// ```
  public func mapStringKeys() -> some ReadableStorage<String, Value> {
    mapKeys(to: String.self) { text in
      guard let url = URL(string: text) else {
        throw StorageError.invalidURL.with("the text is not a valid URL", key: text)
      }
      return url
    }
  }
}
