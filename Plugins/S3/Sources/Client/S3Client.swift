#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The client of a bucket, which stores can share: their requests then share connections, credentials and limits.
///
/// ```swift
/// let client = try S3Client(config: S3Config(bucket: "cache", region: "eu-central-1"))
/// let pages = try S3Storage<String>(client: client, prefix: "pages")
/// let images = try S3Storage<String>(client: client, prefix: "images")
/// ```
///
/// **Requests** are signed by Signature V4, and sent through libcurl, or through a `URLSession` on Apple platforms.
/// Redirections are not followed.
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
  private let transfers: Transfers
  private let slots: Slots
  let credentials: CredentialsCache
  let now: @Sendable () -> Date
  private let sleep: @Sendable (Duration) async throws -> Void
  /// How many seconds the server's clock is ahead of this machine's.
  let skew = Locked(0.0)
  /// The last signature. It is valid for all requests of the same second, and its key for all of the same day.
  let lastSigner = Locked<SignatureV4?>(nil)
  let knowledge = Locked(BucketKnowledge())
  /// Threads that read and write files, so that tasks are not blocked.
  let pool = BlockingPool()

  /// Creates a client. It sends nothing until a store is used.
  ///
  /// Throws `.invalidConfiguration` if the bucket, the region or the endpoint is invalid.
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
    transfers = try Transfers(connections: config.connections, timeout: config.timeout)
  }

  /// Sends a request, with retries, and returns the response if its status is a success or one of `others`. Throws an
  /// `S3Error` for any other status and for responses that no S3 server gives, and `.backendFailed` if no response
  /// arrives.
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
            try response.requireForm(answering: request, expecting: others)
            return response
          }
          demanded = demand(of: response)
        } catch let error as S3ConnectionError {
          let isSafe = request.repetition == .always || !error.isSent
          guard isSafe, error.isPassing, delay.attempts < config.attempts else {
            throw error.storageError(of: request)
          }
        }
        try await sleep(delay.next(demanded: demanded, using: &random))
      }
    }
  }

  /// Suspends the task for a duration. Tests replace the clock.
  func pause(_ duration: Duration) async throws { try await sleep(duration) }

  /// Returns the pause that a server demands, in seconds or until a date (RFC 9110, 10.2.3).
  private func demand(of response: S3Response) -> Duration {
    guard let field = response["Retry-After"] else { return .zero }
    if let seconds = Int(field) { return .seconds(seconds) }
    guard let date = HTTPDate.parse(field) else { return .zero }
    return .seconds(date.timeIntervalSince(HTTPDate.parse(response["Date"]) ?? serverDate))
  }

  private func isPassing(_ status: Int, _ repetition: S3Request.Repetition) -> Bool {
    switch status {
    case 429, 503: true
    // After these statuses it is unknown whether the server has executed the request.
    case 500, 502, 504: repetition != .ifRefused
    default: false
    }
  }

  private func receive(_ request: S3Request, _ signer: SignatureV4) async throws -> S3Response {
    let content = request.content
    let received = try await transfers.receive(webRequest(request, signer)) {
      200..<300 ~= $0 ? content.limit : S3Request.Content.refusalLimit
    }
    let response = S3Response(received)
    if received.data == nil, response.isSuccess { throw content.excess }
    return response
  }
}

extension S3Client: CustomReflectable {
  /// A mirror without children: requests and credentials hold secrets.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
