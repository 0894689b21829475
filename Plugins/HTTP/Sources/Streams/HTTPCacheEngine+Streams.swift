import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCacheEngine {
  /// Returns the stored response if no request to the origin is needed, or `nil`. The same as `fromStore`, for a body
  /// that is read a part at a time.
  func streamFromStore(
    _ question: Question, else origin: @escaping StreamingOrigin, refreshing: () -> Bool
  ) async throws -> StreamedResponse? {
    if let stored = try await record(question.target).answer(to: question),
      let body = try await body(of: stored, question, else: origin)
    {
      let use = freshness(of: stored).use(for: question.directives)
      if let range = question.range {
        if use == .serve, let (part, bounds) = stored.partHead(range) {
          return try streamed(serve(part, to: question), body.reading(bounds))
        }
      } else if use == .serve
        || use == .serveAndRevalidate && (question.directives.onlyIfCached || refreshing())
      {
        return try streamed(serve(stored, to: question), body)
      }
    }
    guard question.directives.onlyIfCached else { return nil }
    throw StorageError.notFound.with(
      "no usable response is stored, and the request accepts only stored ones (only-if-cached)",
      key: question.target)
  }

  private func streamed(_ loaded: LoadedResponse, _ body: StoredBytes) -> StreamedResponse {
    StreamedResponse(httpUrlResponse: loaded.response.httpUrlResponse, body: ResponseBody(body))
  }

  /// Returns the body of a stored response, or `nil` if the store has it no longer, or it is damaged.
  private func body(
    of stored: StoredResponse, _ question: Question, else origin: @escaping StreamingOrigin
  ) async throws -> StoredBytes? {
    guard let detached = stored.detached else { return StoredBytes(stored.body) }
    do {
      let bytes = try await store.stream(detached.key, nil, [])
      guard let bytes, bytes.length == detached.length, bytes.isLive(by: store.clock) else {
        return nil
      }
      let remainder = BodyRemainder(stored.fields, status: stored.status, length: detached.length) {
        try await origin(question.forWholeBody)
      }
      return remainder.continuing(bytes) { error in
        guard error.isDamage else {
          throw storeFailed(error, "the stored body could not be read", detached.key)
        }
        reportDamage(error, detached.key)
        await remove(detached, question)
      }
    } catch  where error.isDamage {
      reportDamage(error, detached.key)
      return nil
    } catch { throw storeFailed(error, "the stored body could not be read", detached.key) }
  }

  /// Removes a response whose body is damaged, unless it has been replaced.
  private func remove(_ damaged: DetachedBody, _ question: Question) async {
    do {
      try await records.withTurn(.key(question.target)) {
        guard try await record(question.target).answer(to: question)?.detached == damaged else { return }
        try await change(question) { $0.replace(question, with: nil) }
      }
    } catch { report(error, at: question, "a response with a damaged body could not be removed") }
  }

  /// Requests a response from the origin, and stores its body while it is read.
  func streamedLoad(
    _ question: Question, from origin: @escaping StreamingOrigin
  ) async throws -> StreamedLoad {
    var known = try await record(question.target, reportingDamage: true).answer(to: question)
    let knownBody: StoredBytes?
    if let stored = known {
      knownBody = try await body(of: stored, question, else: origin)
    } else {
      knownBody = nil
    }
    if knownBody == nil { known = nil }
    if let known, let knownBody, freshness(of: known).use(for: question.directives) == .serve {
      return try StreamedLoad(response: streamed(serve(known, to: question), knownBody))
    }
    if let (shared, head) = downloads.find(question.loadKey) {
      let response = StreamedResponse(httpUrlResponse: head, body: ResponseBody(shared.bytes))
      return StreamedLoad(response: response, isOriginal: false)
    }
    let change = Change(flights, question.loadKey)
    var arriving: StreamedResponse?
    var news: StoredResponse?
    let loaded = try await ask(
      { request in
        let (response, data) = try await origin(request).ifShort()
        arriving = data == nil ? response : nil
        return Response(httpUrlResponse: response.httpUrlResponse, data: data ?? Data())
      }, question, about: known, change.flight,
      keeping: { response in
        if arriving != nil { news = response }
        return arriving != nil
      })
    guard let arriving, arriving.httpUrlResponse === loaded.response.httpUrlResponse else {
      // A short response, which is stored by now, or a stored one, whose body may be an entry of its own.
      let body = loaded.isFromStore ? knownBody : nil
      return StreamedLoad(
        response: streamed(loaded, body ?? StoredBytes(loaded.response.data)),
        isShareable: loaded.isShareable)
    }
    let isTooLong = arriving.body.length.map { $0 > config.bodyLimit ?? .max } ?? false
    if let news, !isTooLong { return try await storing(arriving, news, question, change, from: origin) }
    if news != nil, known != nil { try await forget(question, change, arriving.httpUrlResponse) }
    return StreamedLoad(response: arriving, isShareable: false, isArriving: true)
  }

  /// Returns a response whose body is stored while it is read.
  private func storing(
    _ arriving: StreamedResponse, _ news: StoredResponse, _ question: Question, _ change: Change,
    from origin: @escaping StreamingOrigin
  ) async throws -> StreamedLoad {
    let key = "\(question.target)#\(UUID().uuidString)"
    var alone = CacheRecord()
    alone.replace(question, with: news)
    let staged: any StagedBytes
    do {
      let how: How = arriving.body.length == nil ? [] : .rereading
      staged = try await store.stage(key, alone.expiry(config, isShared: isShared), how)
    } catch StorageError.tooLarge {
      try await forget(question, change, arriving.httpUrlResponse)
      return StreamedLoad(response: arriving, isShareable: false, isArriving: true)
    } catch { throw storeFailed(error, "the response could not be stored", question.target) }
    let head = arriving.httpUrlResponse
    let commit: @Sendable (any StagedBytes, Int) async throws -> Bool = { [self] staged, length in
      defer { downloads.remove(question.loadKey, head) }
      var news = news
      news.detached = DetachedBody(key: key, length: length)
      return try await keep(news, staged, for: question, change)
    }
    guard let length = arriving.body.length else {
      // Without a length, the body has one reader: others send requests of their own.
      let body = StoringBody(arriving.body, staged, limit: config.bodyLimit ?? .max, commit) { [self] in
        try await forget(question, change, head)
      }
      return StreamedLoad(
        response: StreamedResponse(
          httpUrlResponse: head, body: ResponseBody(length: nil) { try await body.next() }),
        isShareable: false, isArriving: true)
    }
    let remainder = BodyRemainder(news.fields, status: news.status, length: length) {
      try await origin(question.forWholeBody)
    }
    let isOpen = Locked(false)
    let bytes = StoredBytes(length: length) { range in
      let wasOpen = isOpen.withLock { isOpen in
        defer { isOpen = true }
        return isOpen
      }
      // Only a reader that is far behind one that goes on without the store needs the body once more.
      return try await wasOpen ? remainder.parts(range) : arriving.body.open()
    }
    let shared = SharedBytes(bytes, isRepeatable: false, staging: staged) { [self] error in
      guard error as? StorageError == .tooLarge else { return false }
      downloads.remove(question.loadKey, head)
      try await forget(question, change, head)
      return true
    } commit: {
      try await commit($0, length)
    }
    downloads.add(shared, head, for: question.loadKey) { [flights] in !flights.isOvertaken(change.flight) }
    return StreamedLoad(
      response: StreamedResponse(httpUrlResponse: head, body: ResponseBody(shared.bytes)), isArriving: true)
  }

  /// Commits a body, and stores the response in the record of its URL. Returns `false` if the URL has changed since the
  /// load started. Throws `.tooLarge` if the store refuses the body or the record.
  private func keep(
    _ news: StoredResponse, _ staged: any StagedBytes, for question: Question, _ change: Change
  ) async throws -> Bool {
    do {
      return try await records.withTurn(.key(question.target)) {
        if flights.isOvertaken(change.flight) { return false }
        guard try await staged.commit(ifAbsent: false) else { return false }
        do { try await self.change(question) { $0.replace(question, with: news) } } catch {
          // Without a record nothing finds the body.
          if let key = news.detached?.key { try await store.removeObject(forKey: key) }
          throw error
        }
        return true
      }
    } catch StorageError.tooLarge {
      throw StorageError.tooLarge
    } catch { throw storeFailed(error, "the response could not be stored", question.target) }
  }

  /// Removes the stored response to a request: there is a new one, whose body is too long to be stored.
  private func forget(_ question: Question, _ change: Change, _ head: HTTPURLResponse) async throws {
    try await keep(
      nil, for: question, change.flight, response: Response(httpUrlResponse: head, data: Data()))
  }

  /// A change of the stored responses of a URL that is in progress. A later change overtakes it.
  final class Change: Sendable {
    let flight: FlightID
    private let flights: Flights<LoadKey, LoadedResponse>

    init(_ flights: Flights<LoadKey, LoadedResponse>, _ key: LoadKey) {
      self.flights = flights
      flight = flights.begin(LoadKey(target: key.target, question: key.question))
    }

    deinit { flights.giveUp(flight) }
  }
}

extension StreamedResponse {
  /// Returns a short body, which is stored in the record of its URL; for a longer one `nil`, and the response with a
  /// body that begins with the bytes that were read.
  fileprivate func ifShort() async throws -> (StreamedResponse, Data?) {
    let length = httpUrlResponse.hasNoBody ? 0 : body.length
    if let length, length > StoredBytes.partSize { return (self, nil) }
    let rest = Rest(try await body.open())
    var data = Data()
    while data.count <= StoredBytes.partSize {
      guard let part = try await rest.next() else {
        if let length, length != data.count {
          throw StorageError.backendFailed.with(
            "the body of the response has \(data.count) bytes instead of \(length)")
        }
        return (self, data)
      }
      data.append(part)
    }
    let beginning = Locked<Data?>(data)
    let longer = ResponseBody(length: body.length) {
      let first = beginning.withLock { data in
        defer { data = nil }
        return data
      }
      if let first { return first }
      return try await rest.next()
    }
    return (StreamedResponse(httpUrlResponse: httpUrlResponse, body: longer), nil)
  }
}

/// The parts of a body that have not been read yet.
///
/// Unchecked: one task at a time reads a body.
private final class Rest: @unchecked Sendable {
  private let parts: StoredBytes.Parts

  init(_ parts: sending @escaping StoredBytes.Parts) { self.parts = parts }

  func next() async throws -> Data? { try await parts() }
}
