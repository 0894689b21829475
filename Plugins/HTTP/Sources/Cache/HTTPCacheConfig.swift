public import StrataCore

/// What is up to you in an ``HTTPCache``. Everything else is up to the origin.
public struct HTTPCacheConfig: Sendable {
  /// For how many seconds a stale response may still be served while the origin fails, if neither it nor the request
  /// says anything about it (`stale-if-error`). 0: not at all.
  public var staleIfError: Double
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
    staleIfError: Double = 0, heuristicLimit: Double = 86_400, retention: Double = 30 * 86_400,
    bodyLimit: Int? = nil, isForOneUser: Bool = false, clock: StorageClock = .system,
    onTrouble: (@Sendable (StorageError) -> Void)? = nil
  ) {
    self.staleIfError = staleIfError
    self.heuristicLimit = heuristicLimit
    self.retention = retention
    self.bodyLimit = bodyLimit
    self.isForOneUser = isForOneUser
    self.clock = clock
    self.onTrouble = onTrouble
  }
}
