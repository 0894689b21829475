/// The purpose of a request in flight: a load that equal requests share, or a change of the stored responses of a URL.
struct Errand: Hashable, Sendable {
  /// The URL whose stored responses it may change.
  let target: String
  /// The request that is answered; `nil` for a change, which no other caller joins.
  let question: RequestIdentity?
}

extension Question {
  /// The load that answers this and equal requests.
  var errand: Errand { Errand(target: target, question: identity) }
}
