public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ReadableStorage where Value == Response {
  /// Returns a storage of the bodies of successful responses.
  ///
  /// ```swift
  /// let bodies = web.droppingResponse().mapURLKeys()
  /// let page: Data = try await bodies.retrieve(forKey: url)
  /// ```
  ///
  /// Every status of 2xx is a success, even with an empty body. 404 and 410 throw `.notFound`; any other status throws
  /// `.httpStatus`. The cause of both is an ``UnsuccessfulResponse`` with the server's response.
  public func droppingResponse() -> some ReadableStorage<Key, Data> { Bodies(base: self) }
}

/// A storage that returns the bodies of another storage's responses.
struct Bodies<Base: ReadableStorage>: ReadableStorage where Base.Value == Response {
  let base: Base

  var storageName: String { "droppingResponse" }
  var wrappedStorages: [any StorageDesign] { [base] }

  func retrieve(forKey key: Base.Key) async throws -> Data {
    let response = try await base.retrieve(forKey: key)
    let status = response.httpUrlResponse.statusCode
    if 200..<300 ~= status { return response.data }
    let error: StorageError = status == 404 || status == 410 ? .notFound : .httpStatus
    throw error.with(
      "the server answered with status \(status)", key: key,
      place: response.httpUrlResponse.url?.withoutSecrets, cause: UnsuccessfulResponse(response: response))
  }
}
