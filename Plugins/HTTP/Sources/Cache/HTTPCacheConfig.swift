public import StrataCore

/// The configuration of an ``HTTPCache``. Everything else is decided by the origin's responses.
///
/// ```swift
/// let web = HTTPCache(store: disk, config: HTTPCacheConfig(staleIfError: 3600, bodyLimit: 10_000_000))
/// ```
public struct HTTPCacheConfig: Sendable {
  /// The seconds for which a stale response may be served while the origin fails, if neither it nor the request has a
  /// `stale-if-error`. 0: never.
  public var staleIfError: Double
  /// The seconds for which a stale response may be served while the origin cannot be reached, if neither it nor the
  /// request has a `stale-if-error`. 0: never, the error is thrown.
  ///
  /// RFC 9111 (4.2.4) allows this to a disconnected cache. It applies to failures without a response: offline, unknown
  /// host, refused, timed out, closed without an answer. `staleIfError` is for a status such as 503; a failed TLS
  /// handshake is always thrown. A response with `must-revalidate` or `no-cache` is never served stale. A request with
  /// `max-age`, `min-fresh` or `max-stale` receives a response within its bounds or the error. `onTrouble` is called
  /// each time, and the response's `Age` and `Cache-Status` show it.
  public var staleIfUnreachable: Double
  /// The maximum heuristic lifetime in seconds. A response with only a `Last-Modified` is fresh for a tenth of the time
  /// since then, but for no longer than this limit.
  public var heuristicLimit: Double
  /// The seconds for which a stale response is kept, so that it can be validated.
  public var retention: Double
  /// The maximum number of bytes of a stored body; a longer one is returned but not stored. `nil` for no limit: then a
  /// store's own limit fails the request.
  public var bodyLimit: Int?
  /// Whether all requests through the store belong to one user. If not, `private` responses answer only requests with
  /// the same cookies. `Set-Cookie` is then served only to requests with the same credentials and cookies as the
  /// original one. `true` lifts both restrictions, for example for an app whose server sets a new cookie with each
  /// response. `Authorization` and a `Vary` of `Cookie` are honored in both cases.
  public var isForOneUser: Bool
  /// The clock that determines the age of responses.
  public var clock: StorageClock
  /// Called with each failure that is not thrown to a caller: the origin failed and a stale response was served, or
  /// bytes in the store are unreadable. Called on any thread.
  public var onTrouble: (@Sendable (StorageError) -> Void)?

  /// Creates a configuration.
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
