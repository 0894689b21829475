public import Foundation
public import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension ReadableStorage where Value == Response {
  /// The bodies alone, of successful responses alone.
  ///
  /// A status of 2xx is a success, with an empty body too. 404 and 410 say that nothing is there: `.notFound`. Any
  /// other status is a failure, `.httpStatus`. The cause of both is an ``UnsuccessfulResponse``, with the server's own
  /// words.
  public func droppingResponse() -> some ReadableStorage<Key, Data> { Bodies(base: self) }
}

/// A storage of responses as one of their bodies.
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
