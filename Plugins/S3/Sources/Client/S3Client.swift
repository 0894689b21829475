import Foundation
import StrataCore
import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of a bucket, which stores can share: their requests then share connections, credentials and limits.
///
/// ```swift
/// let client = try S3Client(config: S3Config(bucket: "cache", region: "eu-central-1"))
/// let pages = try S3Storage<String>(client: client, prefix: "pages")
/// let images = try S3Storage<String>(client: client, prefix: "images")
/// ```
///
/// **Requests** are signed by Signature V4 and sent through the client's own `URLSession`. Redirections are not
/// followed.
///
/// **Temporary failures** (500, 502, 503, 504, `SlowDown`, lost connections, timeouts) are retried: a request is sent
/// up to `S3Config.attempts` times, after growing, randomized pauses. A write of a whole value is not sent again after
/// a lost connection: the server might still execute the first copy, after later writes.
///
/// **Clocks**: servers reject requests whose date is wrong by a quarter of an hour. The client corrects its dates by
/// the dates of the server's responses.
public final class S3Client: Sendable {
  /// The configuration of this client.
  public let config: S3Config
  let address: S3Address
  private let web: URLSessionStorage
  private let slots: Slots
  private let credentials: CredentialsCache
  private let now: @Sendable () -> Date
  private let sleep: @Sendable (Duration) async throws -> Void
  /// How many seconds the server's clock is ahead of this machine's.
  private let skew = Locked(0.0)
  /// The last signature, whose key serves for a day.
  private let signer = Locked<SignatureV4?>(nil)
  let knowledge = Locked(BucketKnowledge())
  /// Reads and writes files without blocking tasks.
  let pool = BlockingPool()

  /// Creates a client. It sends nothing until a store is used.
  ///
  /// Throws `.invalidConfiguration` if the bucket, region or endpoint is no valid name or URL.
  public convenience init(config: S3Config) throws {
    try self.init(config: config, now: { Date() }, sleep: { try await Task.sleep(for: $0) })
  }

  init(
    config: S3Config, now: @escaping @Sendable () -> Date,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) throws {
    self.config = config
    self.now = now
    self.sleep = sleep
    address = try S3Address(config)
    slots = Slots(config.connections)
    credentials = CredentialsCache(config.credentials)
    let session = URLSessionConfiguration.uncached
    session.httpMaximumConnectionsPerHost = max(config.connections, 1)
    session.timeoutIntervalForRequest = max((config.timeout / .seconds(1)).rounded(.up), 1)
    session.httpCookieStorage = nil
    session.httpShouldSetCookies = false
    web = URLSessionStorage(notRedirected: session)
  }

  /// Sends a request until there is a response to return: a success, or another of the expected statuses. Throws an
  /// `S3Error` for other responses, and `.backendFailed` if there is none.
  func send(_ request: S3Request, expecting others: Set<Int> = []) async throws -> S3Response {
    try await slots.run {
      var delay = RetryDelay()
      var random = SystemRandomNumberGenerator()
      var isRenewed = false
      while true {
        try Task.checkCancellation()
        let signer = try await signer()
        var demanded = Duration.zero
        do {
          let response = try await receive(request, signer)
          if !isRenewed, try await renew(after: response, signer) {
            isRenewed = true
            continue
          }
          guard isPassing(response.status, request.repetition), delay.attempts < config.attempts else {
            guard response.isSuccess || others.contains(response.status) else { throw response.failure }
            return response
          }
          demanded = .seconds(response["Retry-After"].flatMap(Int.init) ?? 0)
        } catch let error as URLError {
          try Task.checkCancellation()
          guard request.repetition == .always && error.isPassing || error.isUnsent && error.isPassing,
            delay.attempts < config.attempts
          else { throw error.storageError(of: request) }
        }
        try await sleep(delay.next(demanded: demanded, using: &random))
      }
    }
  }

  /// Suspends the task for a while.
  func pause(_ duration: Duration) async throws { try await sleep(duration) }

  private func isPassing(_ status: Int, _ repetition: S3Request.Repetition) -> Bool {
    switch status {
    case 429, 503: true
    // After these it is unknown whether the request was executed.
    case 500, 502, 504: repetition != .ifRefused
    default: false
    }
  }

  // MARK: Signing

  private func signer() async throws -> SignatureV4 {
    let date = now().addingTimeInterval(skew.withLock { $0 })
    let credentials = try await credentials.current(at: now())
    let signer = SignatureV4(
      credentials: credentials, region: config.region, date: SigningDate(date),
      after: self.signer.withLock { $0 })
    self.signer.withLock { $0 = signer }
    return signer
  }

  /// Corrects dates, or drops credentials, if the response says that they are wrong. Returns whether it did.
  private func renew(after response: S3Response, _ signer: SignatureV4) async throws -> Bool {
    guard [400, 401, 403].contains(response.status) else { return false }
    // A response without a body has no code: then the dates decide.
    let code = response.failure.code
    if ["RequestTimeTooSkewed", "RequestExpired", ""].contains(code),
      let theirs = HTTPDate.parse(response["Date"])
    {
      let ahead = theirs.timeIntervalSince(now())
      let isNew = skew.withLock { skew in
        let isNew = abs(ahead - skew) > 60
        if isNew { skew = ahead }
        return isNew
      }
      if isNew { return true }
    }
    guard ["ExpiredToken", "TokenRefreshRequired"].contains(code) else { return false }
    await credentials.forget(signer.credentials)
    return true
  }

  private func receive(_ request: S3Request, _ signer: SignatureV4) async throws -> S3Response {
    guard let url = address.url(of: request.name, query: request.query) else {
      throw StorageError.invalidConfiguration.with(
        "this is no URL: \(address.place(of: request.name))", place: address.place(of: nil))
    }
    let signed = signed(request, signer)
    var sent = URLRequest(url: url)
    sent.httpMethod = request.method
    for (name, value) in signed.fields where name != "Host" {
      sent.setValue(value, forHTTPHeaderField: name)
    }
    sent.httpBody = signed.body
    let (data, response) = try await web.receive(sent)
    guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return S3Response(http, data)
  }

  /// Returns the fields and the body of a request with its signature.
  func signed(_ request: S3Request, _ signer: SignatureV4) -> (
    fields: [(name: String, value: String)], body: Data?
  ) {
    let body = request.body ?? Data()
    let isChunked = config.payloadSigning == .chunked && request.method == "PUT" && !body.isEmpty
    let isUnsigned =
      config.payloadSigning == .unsigned || config.payloadSigning == .automatic && address.scheme == "https"
    let payload =
      if isChunked { ChunkedBody.payload } else if isUnsigned && !body.isEmpty { "UNSIGNED-PAYLOAD" } else {
        Encoding.hex(body.withUnsafeBytes { SHA256.hash($0) })
      }
    var fields = request.fields
    fields.append(("Host", address.host))
    fields.append(("x-amz-date", signer.date.second))
    fields.append(("x-amz-content-sha256", payload))
    if let token = signer.credentials.sessionToken { fields.append(("x-amz-security-token", token)) }
    if isChunked {
      // Without `Content-Encoding: aws-chunked`, which is optional: some servers store it with the object.
      fields.append(("x-amz-decoded-content-length", "\(body.count)"))
    }
    // Otherwise URLSession would send the type of a form, unsigned.
    if !body.isEmpty, !fields.contains(where: { $0.name == "Content-Type" }) {
      fields.append(("Content-Type", "application/octet-stream"))
    }
    let message = SignatureV4.Message(
      method: request.method, path: address.path(of: request.name), query: request.query, fields: fields,
      payload: payload)
    let seed = signer.signature(of: message)
    fields.append(("Authorization", signer.authorization(of: message, signature: seed)))
    if isChunked { return (fields, ChunkedBody.encoded(body, signer, seed: seed)) }
    return (fields, request.body)
  }
}

extension S3Client: CustomReflectable {
  /// A mirror without children: requests and credentials hold secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
