import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a request says about the use of stored responses, by its `Cache-Control` field and its `cachePolicy`.
struct RequestDirectives: Equatable, Sendable {
  /// A stored response is out of the question, even as something to ask about.
  var ignoresStored = false
  /// A stored response must be asked about first.
  var noCache = false
  /// The response must not be stored.
  var noStore = false
  /// Only what is stored will do.
  var onlyIfCached = false
  /// The highest age that will do.
  var maxAge: Double = .infinity
  /// For how long a response may have been stale.
  var maxStale: Double = 0
  /// For how long a response must stay fresh.
  var minFresh: Double = 0
  /// For how long a response may have been stale if the origin fails; `nil` if nothing is said.
  var staleIfError: Double?
  /// Whether it says how old, how stale or how fresh a response may be.
  var limitsAge: Bool { maxAge < .infinity || maxStale > 0 || minFresh > 0 }

  init(_ control: CacheControl, policy: URLRequest.CachePolicy = .useProtocolCachePolicy) {
    noCache = control.has("no-cache")
    noStore = control.has("no-store")
    onlyIfCached = control.has("only-if-cached")
    maxAge = control.seconds("max-age") ?? .infinity
    maxStale = control.secondsOrAny("max-stale") ?? 0
    minFresh = control.seconds("min-fresh") ?? 0
    staleIfError = control.seconds("stale-if-error")
    switch policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: ignoresStored = true
    case .reloadRevalidatingCacheData: noCache = true
    case .returnCacheDataElseLoad: maxStale = .infinity
    case .returnCacheDataDontLoad:
      maxStale = .infinity
      onlyIfCached = true
    case .useProtocolCachePolicy: break
    @unknown default: break
    }
  }
}
