// Names of AsyncStorages, for programs that come from there.

public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ReadableStorage where Key == Request {
  /// Reads what a `GET` of a URL has for an answer.
  ///
  /// ```swift
  /// let response = try await URLSessionStorage.shared.retrieve(forKey: url)
  /// ```
  public func retrieve(forKey url: URL) async throws -> Value { try await retrieve(forKey: .url(url)) }

  /// Reads what a request has for an answer.
  public func retrieve(forKey request: URLRequest) async throws -> Value {
    try await retrieve(forKey: .urlRequest(request))
  }
}

extension URLSessionStorage {
  /// What is asked for.
  public typealias Request = StrataHTTP.Request
  /// What the server answered.
  public typealias Response = StrataHTTP.Response

  /// A storage that uses a session of the caller's.
  @available(*, deprecated, renamed: "init(session:)")
  public convenience init(urlSession: URLSession) { self.init(session: urlSession) }

  /// The session.
  @available(*, deprecated, renamed: "session")
  public var urlSession: URLSession { session }
}
