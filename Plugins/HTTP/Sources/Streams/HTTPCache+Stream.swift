import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCache: ResponseStreaming {
  /// Returns a response whose body is read a part at a time, from the store or, while it is stored, from the origin.
  ///
  /// ```swift
  /// let film = try await web.stream(.url(url))
  /// for try await part in film.body { try send(part) }   // Begins with the first bytes of the download.
  /// ```
  ///
  /// The rules are those of `retrieve`. Callers of an equal request share one download, and each reads at its own pace:
  /// the first to need a part reads it from the origin, and the others read what is stored already. A response is
  /// stored when its last byte has been read. It is not if it ends before its stated length, or its last reader leaves
  /// before. A body that is too large for the store is returned all the same. Any other error of the origin or the
  /// store is thrown by the body. A response of unknown length is stored too, but not shared while it arrives.
  ///
  /// Where a stored body turns out to be damaged, its reader gets the rest from the origin. This needs an `ETag` or a
  /// `Last-Modified` that shows that the body is still the same; otherwise the body throws `.backendFailed`.
  ///
  /// A body of more than 1 MiB is an entry of its own, next to the record of its URL. If the store keeps parts
  /// (`StoreTraits.keepsParts`) and the origin streams, memory is needed for a few parts only, whatever the size.
  public func stream(_ request: Request) async throws -> StreamedResponse {
    let fields = engine.fields(of: request.urlRequest)
    guard let question = Question(request.urlRequest, fields: fields) else {
      return try await passing(request)
    }
    let stored = try await engine.streamFromStore(question, else: { try await streamOfOrigin($0) }) {
      streamMeanwhile(question)
      return true
    }
    if let stored { return stored }
    if question.range != nil { return try await passing(request) }
    try Task.checkCancellation()
    let (load, isFirst) = try await engine.streams.join(question.loadKey) { [self] _ in
      try await engine.streamedLoad(question) { try await streamOfOrigin($0) }
    }
    if isFirst, load.isOriginal || engine.config.isForOneUser { return load.response }
    guard load.isShareable else {
      return try await streamOfOrigin(.urlRequest(question.forOrigin(validating: nil)))
    }
    return engine.config.isForOneUser ? load.response : load.response.withoutCookies
  }

  private func streamOfOrigin(_ request: Request) async throws -> StreamedResponse {
    if let origin = origin as? any ResponseStreaming { return try await origin.stream(request) }
    return try await StreamedResponse(origin.retrieve(forKey: request))
  }

  /// Sends a request that no stored response answers. The response to an unsafe method is read into memory.
  private func passing(_ request: Request) async throws -> StreamedResponse {
    let isSafe = ["GET", "HEAD"].contains(request.urlRequest.httpMethod ?? "GET")
    return isSafe
      ? try await streamOfOrigin(request) : try await StreamedResponse(retrieve(forKey: request))
  }

  /// Validates a stored response in the background, and stores a new one.
  private func streamMeanwhile(_ question: Question) {
    guard let flight = engine.streams.enterAlone(question.loadKey) else { return }
    engine.streams.start(flight) { [self] in
      do {
        let load = try await engine.streamedLoad(question) { try await streamOfOrigin($0) }
        if load.isArriving { for try await _ in load.response.body {} }
        return load
      } catch {
        engine.report(error, at: question, "a response could not be revalidated while it was served stale")
        throw error
      }
    }
  }
}

extension StreamedResponse {
  /// The response without the cookies that it sets.
  fileprivate var withoutCookies: StreamedResponse {
    let bare = Response(httpUrlResponse: httpUrlResponse, data: Data()).withoutCookies
    return StreamedResponse(httpUrlResponse: bare.httpUrlResponse, body: body)
  }
}
