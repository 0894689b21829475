#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request to a bucket. Each attempt signs it again.
struct S3Request: Sendable {
  /// The failures after which a request may be sent again.
  enum Repetition: Sendable {
    /// Any failure. For reads, and for writes that no other write can overtake.
    case always
    /// A response, or a failure before the request was sent. After a lost connection the server may still execute the
    /// first copy, later than writes that follow the second.
    case ifAnswered
    /// A response that proves that the server has not executed the first copy. Otherwise the condition of the second
    /// copy could fail because of the first.
    case ifRefused
  }

  var method: String
  /// The name of the object, or `nil` for the bucket.
  var name: String?
  var query: [(name: String, value: String)] = []
  var fields: [(name: String, value: String)] = []
  var body: Data?
  var repetition = Repetition.always
}
