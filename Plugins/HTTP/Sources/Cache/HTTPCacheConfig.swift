public import StrataCore

/// What is up to you in an ``HTTPCache``. Everything else is up to the origin.
public struct HTTPCacheConfig: Sendable {
  /// For how many seconds a stale response may still be served while the origin fails, if neither it nor the request
  /// says anything about it (`stale-if-error`). 0: not at all.
  public var staleIfError: Double
  /// For how many seconds a stale response may still be served while no connection to the origin can be had, if neither
  /// it nor the request says anything about it. 0: not at all, the error is thrown.
  ///
  /// That is what RFC 9111 (4.2.4) lets a disconnected cache do. It is for failures in which the origin said nothing:
  /// offline, no such host, refused, timed out, closed without an answer. A status such as 503 is `staleIfError`'s, and
  /// a failed TLS handshake neither's. What says `must-revalidate` or `no-cache` is never served, and a request with
  /// `max-age`, `min-fresh` or `max-stale` gets what it asks for or the error. `onTrouble` is told each time, and
  /// `Age` and `Cache-Status` of the response show it.
  public var staleIfUnreachable: Double
  /// The most seconds that a response is taken to be fresh whose origin gives only `Last-Modified`: a tenth of the time
  /// since then, and not more than this.
  public var heuristicLimit: Double
  /// For how many seconds a response is kept after it is stale, to ask the origin whether it still holds.
  public var retention: Double
  /// The most bytes of a body that is stored; a longer one is handed over and not stored. `nil` for any number: then
  /// the store's own limit fails the request.
  public var bodyLimit: Int?
  /// Whether all requests through the store are one user's. If not, `private` responses answer only requests with the
  /// same cookies, and `Set-Cookie` is served only to requests with the same credentials and cookies as the one that
  /// brought it. `true` does without both: for an app whose server sets a new cookie with each response, say.
  /// `Authorization` and a `Vary` of `Cookie` are heeded in both cases.
  public var isForOneUser: Bool
  /// The clock by which responses grow old.
  public var clock: StorageClock
  /// Told of each failure that the cache got over and no caller hears of: of the origin, where a stale response stood
  /// in, and of bytes in the store that are no response. Called on any thread.
  public var onTrouble: (@Sendable (StorageError) -> Void)?

  /// Describes a cache.
  public init(
    staleIfError: Double = 0, staleIfUnreachable: Double = 86_400, heuristicLimit: Double = 86_400,
    retention: Double = 30 * 86_400, bodyLimit: Int? = nil, isForOneUser: Bool = false,
    clock: StorageClock = .system,
    onTrouble: (@Sendable (StorageError) -> Void)? = nil
  ) {
    self.staleIfError = staleIfError
    self.staleIfUnreachable = staleIfUnreachable
    self.heuristicLimit = heuristicLimit
    self.retention = retention
    self.bodyLimit = bodyLimit
    self.isForOneUser = isForOneUser
    self.clock = clock
    self.onTrouble = onTrouble
  }
}
