import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCache {
  /// Sends a request that no stored response answers. One that may have changed something leaves nothing stored behind
  /// but its own response, if that says it is what a `GET` would bring.
  func passing(_ key: Request, _ fields: RequestFields) async throws -> Response {
    let request = key.urlRequest
    let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod ?? "GET")
    if isSafe { return try await origin.retrieve(forKey: key) }
    let target = Target.key(of: request.url)
    let requestTime = config.clock.now
    let ticket = flights.watch(target ?? "")
    defer { flights.end(ticket) }
    let response: Response
    do { response = try await origin.retrieve(forKey: key) } catch {
      // It may have been carried out all the same.
      do { try await forget([target], by: ticket) } catch let second {
        throw StorageError.backendFailed.with(
          "the request failed, and what is stored could not be removed either: \(second)", key: key,
          cause: error)
      }
      throw error
    }
    guard 200..<400 ~= response.httpUrlResponse.statusCode else { return response }
    let answered = HeaderFields(of: response.httpUrlResponse)
    let named = ["Location", "Content-Location"].map { Target.key(ofField: answered[$0], from: request.url) }
    do { try await forget([target] + named, by: ticket) } catch {
      throw storeFailed(
        UnstoredResponse(response: response, cause: error),
        "the request was carried out, but what is stored could not be removed", key.description)
    }
    if request.httpMethod == "POST", let target, named[1] == target,
      let question = Question(asking: request, fields: fields)
    {
      let news = StoredResponse(response, requestTime: requestTime, responseTime: config.clock.now)
        .selected(by: fields, self.fields(of: request))
      if news.status == 200, news.hasExplicitLifetime,
        Target.key(of: response.httpUrlResponse.url) == target
      {
        try await keep(news, for: question, ticket, response: response)
      }
    }
    return response
  }

  private func forget(_ targets: [String?], by ticket: Flights<RequestIdentity, Landing>.Ticket) async throws
  {
    for target in Set(targets.compactMap(\.self)) {
      flights.overtake(target, by: ticket)
      // In a task of its own: a cancelled caller must not leave behind what is no longer true.
      try await Task {
        try await records.withTurn(.key(target)) { try await store.removeObject(forKey: target) }
      }.value
    }
  }
}

extension Question {
  /// The question that the response to a `POST` answers, where it says that it is what a `GET` of the same URL would
  /// bring (RFC 9110, 9.3.3).
  fileprivate init?(asking request: URLRequest, fields: RequestFields) {
    var request = request
    request.httpMethod = "GET"
    request.httpBody = nil
    request.httpBodyStream = nil
    self.init(request, fields: fields)
  }
}
