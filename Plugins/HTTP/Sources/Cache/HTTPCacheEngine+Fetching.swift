import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCacheEngine {
  /// Returns the stored response if no request to the origin is needed, or `nil`. Throws `.notFound` if there is none
  /// and the request requires one.
  ///
  /// - Parameter refreshing: called for a response that may be served stale while it is validated. Starts the
  ///   validation, and returns whether one is in progress.
  func fromStore(_ question: Question, refreshing: () -> Bool) async throws -> LoadedResponse? {
    if let range = question.range {
      if let part = try await fromStore(question, range) { return part }
    } else if let stored = try await whole(record(question.target).answer(to: question)) {
      switch freshness(of: stored).use(for: question.directives) {
      case .serve: return try serve(stored, to: question)
      case .serveAndRevalidate:
        if question.directives.onlyIfCached || refreshing() { return try serve(stored, to: question) }
      case .revalidate, .replace: break
      }
    }
    guard question.directives.onlyIfCached else { return nil }
    throw StorageError.notFound.with(
      "no usable response is stored, and the request accepts only stored ones (only-if-cached)",
      key: question.target)
  }

  /// Returns a part of a stored response that may be used without validation.
  private func fromStore(_ question: Question, _ range: ByteRange) async throws -> LoadedResponse? {
    guard let stored = try await whole(record(question.target).answer(to: question)),
      let part = stored.part(range), freshness(of: stored).use(for: question.directives) == .serve
    else { return nil }
    return try serve(part, to: question)
  }

  /// Requests a response from the origin and stores it.
  func load(
    _ question: Question, _ flight: FlightID, from origin: (Request) async throws -> Response
  ) async throws -> LoadedResponse {
    // Another load may have stored a response in the meantime.
    let known = try await whole(record(question.target, reportingDamage: true).answer(to: question))
    if let known, freshness(of: known).use(for: question.directives) == .serve {
      return try serve(known, to: question)
    }
    return try await ask(origin, question, about: known, flight)
  }

  /// - Parameter keeping: stores a response whose body has not arrived yet, in place of this function.
  func ask(
    _ origin: (Request) async throws -> Response, _ question: Question, about known: StoredResponse?,
    _ flight: FlightID, validating: Bool = true,
    keeping: (StoredResponse) async throws -> Bool = { _ in false }
  ) async throws -> LoadedResponse {
    let directives = question.directives
    let asksAboutIt = validating && !directives.ignoresStored && !directives.noStore
    let validated = asksAboutIt ? known : nil
    let requestTime = config.clock.now
    let response: Response
    do {
      response = try await origin(.urlRequest(question.forOrigin(validating: validated)))
    } catch {
      if error is CancellationError { throw error }
      guard let known, let loaded = try standIn(known, for: question, because: error) else { throw error }
      return loaded
    }
    let status = response.httpUrlResponse.statusCode
    let news = StoredResponse(
      response, requestTime: requestTime, responseTime: config.clock.now
    )
    .selected(by: question.fields, fields(of: question.request))
    if status == 304, let validated, !validated.validators.isEmpty {
      guard let updated = validated.updated(by: news, from: response, question) else {
        // The 304 validates another response than the stored one. Send the request again without a condition.
        return try await ask(origin, question, about: known, flight, validating: false, keeping: keeping)
      }
      let confirmed = updated.selected(by: question.fields, fields(of: question.request))
      var loaded = try serve(confirmed, to: question, reason: "fwd=stale; fwd-status=304")
      // The fields of the 304 may forbid to store the response, or to use it for other requests.
      loaded.isStored = try await keep(confirmed, for: question, flight, response: loaded.response)
      loaded.isShareable = mayStore(confirmed, for: question)
      return loaded
    }
    if 500..<600 ~= status, let known,
      let loaded = try standIn(known, for: question, because: UnsuccessfulResponse(response: response))
    {
      return loaded
    }
    let isShareable = mayStore(news, for: question)
    let isKept =
      isShareable && Target.key(of: response.httpUrlResponse.url) == question.target && isWorthStoring(news)
    var isStored = false
    if isKept, try await keeping(news) {
      return LoadedResponse(response: response, isShareable: isShareable)
    } else if isKept {
      isStored = try await keep(news, for: question, flight, response: response)
    } else if known != nil, !(500..<600 ~= status), !directives.noStore {
      try await keep(nil, for: question, flight, response: response)
    }
    return LoadedResponse(response: response, isShareable: isShareable, isStored: isStored)
  }

  /// Returns the stale response, if it may be used because the origin failed.
  private func standIn(
    _ known: StoredResponse, for question: Question, because error: any Error
  ) throws -> LoadedResponse? {
    let mayStandIn = freshness(of: known).mayStandIn(
      for: question.directives, allowance: config.staleIfError,
      unreachable: error.isUnreachable ? config.staleIfUnreachable : 0)
    guard mayStandIn else { return nil }
    report(error, at: question, "the origin failed, and a stale response was served")
    return try serve(known, to: question, reason: "hit; detail=stale-if-error")
  }

  func freshness(of stored: StoredResponse) -> Freshness {
    Freshness(
      of: stored, at: config.clock.now, guessingUpTo: config.heuristicLimit, isShared: isShared)
  }

  /// Whether this cache may store a response, and return it to other callers.
  func mayStore(_ response: StoredResponse, for question: Question) -> Bool {
    !response.selection.isEmpty && response.mayBeStored(for: question.directives, isShared: isShared)
      && (!isShared || response.mayBeShared(after: question.fields))
  }

  /// Whether the body of a response is not too long to be stored.
  func fits(_ response: StoredResponse) -> Bool { response.body.count <= config.bodyLimit ?? .max }

  /// Whether a response can be useful later, as an answer or for validation.
  func isWorthStoring(_ response: StoredResponse) -> Bool {
    response.isWorthStoring(
      guessingUpTo: config.heuristicLimit, staleIfError: config.staleIfError, isShared: isShared)
  }

  func serve(
    _ stored: StoredResponse, to question: Question, reason: String = "hit"
  ) throws -> LoadedResponse {
    let freshness = freshness(of: stored)
    var fields = mayShowCookies(of: stored, to: question) ? stored.fields : stored.fields.withoutCookies
    fields["Age"] = String(Int(freshness.age))
    let status = "Strata; \(reason); ttl=\(Int((-freshness.staleness).rounded(.down)))"
    fields["Cache-Status"] = (fields["Cache-Status"].map { $0 + ", " } ?? "") + status
    guard let url = question.request.url,
      let response = HTTPURLResponse(
        url: url, statusCode: stored.status, httpVersion: "HTTP/1.1", headerFields: fields.dictionary)
    else { throw StorageError.decodingFailed.with("the stored response is not a valid HTTPURLResponse") }
    return LoadedResponse(
      response: Response(httpUrlResponse: response, data: stored.body), isShareable: true, isFromStore: true)
  }

  /// Whether the requesting user may receive the cookies of a stored response: no user may get another's session.
  private func mayShowCookies(of stored: StoredResponse, to question: Question) -> Bool {
    if config.isForOneUser || !stored.fields.setsCookies { return true }
    // Two anonymous users cannot be distinguished.
    if question.fields.isAnonymous, stored.control.has("private") { return false }
    return stored.cookieOwner == Selection.owner(of: question.fields)
  }

  func report(_ error: any Error, at question: Question, _ message: String) {
    config.onTrouble?(.backendFailed.with(message, place: question.target, cause: error))
  }
}

extension StoredResponse {
  /// Creates a record of a response that answers no other request yet.
  init(_ response: Response, requestTime: Date, responseTime: Date) {
    self.init(
      status: response.httpUrlResponse.statusCode,
      fields: HeaderFields(of: response.httpUrlResponse).storable,
      body: response.data, requestTime: requestTime, responseTime: responseTime, selection: Data())
  }

  /// Returns this response as the answer to all requests with equal values of the relevant fields.
  ///
  /// - Parameters:
  ///   - fields: The fields that the origin receives, as known when the request was sent.
  ///   - later: The fields as known when the response arrived. If cookies changed meanwhile, it is unknown which
  ///     cookies were sent. A response that depends on them then answers no other request: its selection is empty.
  func selected(by fields: RequestFields, _ later: RequestFields) -> StoredResponse {
    let selection = Selection.hash(of: fields, for: self.fields)
    let isCertain = fields == later || selection == Selection.hash(of: later, for: self.fields)
    var selected = self
    selected.selection = (isCertain ? selection : nil) ?? Data()
    if self.fields.setsCookies, cookieOwner == nil { selected.cookieOwner = Selection.owner(of: fields) }
    return selected
  }

  /// Returns this response with the fields of a 304. Returns `nil` if the 304 validates another response (RFC 9111,
  /// 4.3.4): one with another URL, after a redirection, or with another `ETag`.
  func updated(by news: StoredResponse, from response: Response, _ question: Question) -> StoredResponse? {
    guard Target.key(of: response.httpUrlResponse.url) == question.target else { return nil }
    if let tag = news.fields["ETag"], tag != fields["ETag"] { return nil }
    var updated = self
    updated.fields = fields.updated(by: news.fields)
    updated.requestTime = news.requestTime
    updated.responseTime = news.responseTime
    updated.cookieOwner = news.fields.setsCookies ? news.cookieOwner : cookieOwner ?? Data()
    return updated
  }
}
