import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCacheEngine {
  /// Sends a request that no stored response answers. After an unsafe method it removes the stored responses of the
  /// URL. The response to a `POST` is stored if it is also the response to a `GET`.
  func passing(
    _ key: Request, _ fields: RequestFields, to origin: (Request) async throws -> Response
  ) async throws -> Response {
    let request = key.urlRequest
    let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod ?? "GET")
    if isSafe { return try await origin(key) }
    let target = Target.key(of: request.url)
    let requestTime = config.clock.now
    let flight = flights.begin(LoadKey(target: target ?? "", question: nil))
    defer { flights.giveUp(flight) }
    let response: Response
    do { response = try await origin(key) } catch {
      // The server may have processed the request all the same.
      do { try await forget([target], by: flight) } catch let second {
        throw StorageError.backendFailed.with(
          "the request failed, and the stored responses could not be removed either: \(second)", key: key,
          cause: error)
      }
      throw error
    }
    // The response is that of the last request, if the session has followed redirections. The server of the first
    // request has not refused it then, and the last one may be unsafe too (307, 308).
    let url = response.httpUrlResponse.url
    let last = Target.key(of: url)
    let isRedirected = last != nil && last != target
    let isRefused = !(200..<400 ~= response.httpUrlResponse.statusCode)
    if isRefused && !isRedirected { return response }
    let answered = HeaderFields(of: response.httpUrlResponse)
    let fieldsOfURLs = ["Location", "Content-Location"]
    let named = fieldsOfURLs.map { Target.key(ofField: answered[$0], from: request.url) }
    let namedLast = fieldsOfURLs.map { Target.key(ofField: answered[$0], from: url) }
    do { try await forget([target] + (isRefused ? [] : [last] + named + namedLast), by: flight) } catch {
      throw storeFailed(
        UnstoredResponse(response: response, cause: error),
        "the request succeeded, but the stored responses could not be removed", key.description)
    }
    if request.httpMethod == "POST", let target, named[1] == target,
      let question = Question(asking: request, fields: fields)
    {
      let news = StoredResponse(response, requestTime: requestTime, responseTime: config.clock.now)
        .selected(by: fields, self.fields(of: request))
      if news.status == 200, news.hasExplicitLifetime,
        Target.key(of: response.httpUrlResponse.url) == target
      {
        try await keep(news, for: question, flight, response: response)
      }
    }
    return response
  }

  private func overtake(_ target: String, by flight: FlightID) {
    flights.overtake(by: flight) { $0.target == target }
    streams.overtake { $0.target == target }
  }

  /// Removes the stored responses of URLs. Responses in flight are not stored, and later callers do not join them.
  private func forget(_ targets: [String?], by flight: FlightID) async throws {
    for target in Set(targets.compactMap(\.self)) {
      overtake(target, by: flight)
      // In a separate task: a cancelled caller must not leave an outdated response in the store.
      try await Task {
        try await records.withTurn(.key(target)) {
          // Once more after the removal: a load that begins during it may have found what is removed.
          defer { overtake(target, by: flight) }
          let bodies = try await record(target).bodyKeys
          try await store.removeObject(forKey: target)
          for key in bodies { try await store.removeObject(forKey: key) }
        }
      }.value
    }
  }
}

extension Question {
  /// The `GET` request that the response to a `POST` also answers, if its `Content-Location` is the same URL (RFC 9110,
  /// 9.3.3).
  fileprivate init?(asking request: URLRequest, fields: RequestFields) {
    var request = request
    request.httpMethod = "GET"
    request.httpBody = nil
    request.httpBodyStream = nil
    self.init(request, fields: fields)
  }
}
