// Names of AsyncStorages, for programs that migrate from it.

public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ReadableStorage where Key == Request {
  /// Returns the response to a `GET` of a URL.
  ///
  /// ```swift
  /// let response = try await URLSessionStorage.shared.retrieve(forKey: url)
  /// ```
  public func retrieve(forKey url: URL) async throws -> Value { try await retrieve(forKey: .url(url)) }

  /// Returns the response to a request.
  public func retrieve(forKey request: URLRequest) async throws -> Value {
    try await retrieve(forKey: .urlRequest(request))
  }
}

extension URLSessionStorage {
  /// The key of the storage: a URL or a complete request.
  public typealias Request = StrataHTTP.Request
  /// The response to a request.
  public typealias Response = StrataHTTP.Response

  /// Creates a storage that uses a session of the caller.
  @available(*, deprecated, renamed: "init(session:)")
  public convenience init(urlSession: URLSession) { self.init(session: urlSession) }

  /// The session that sends the requests.
  @available(*, deprecated, renamed: "session")
  public var urlSession: URLSession { session }
}
