/// The key of an in-flight request: a load that equal requests share, or a change of the stored responses of a URL.
struct LoadKey: Hashable, Sendable {
  /// The URL whose stored responses the request may change.
  let target: String
  /// The request that the load answers, or `nil` for a change, which no other caller joins.
  let question: RequestIdentity?
}

extension Question {
  /// The key of the load that answers this request and all equal ones.
  var loadKey: LoadKey { LoadKey(target: target, question: identity) }
}
