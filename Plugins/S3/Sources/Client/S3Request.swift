#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request to a bucket. Each attempt signs it anew.
struct S3Request: Sendable {
  /// When a request may be sent a second time.
  enum Repetition: Sendable {
    /// After any failure. For reads, and for writes that no other write can overtake.
    case always
    /// If a response arrived, or if the request was never sent. After a lost connection the server may still execute
    /// the first copy, later than writes that follow the second.
    case ifAnswered
    /// Only if the server has certainly not executed the first copy, which would make the condition of the second one
    /// false.
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
