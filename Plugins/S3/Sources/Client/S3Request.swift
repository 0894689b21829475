#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request to a bucket, which is signed anew for each attempt.
struct S3Request: Sendable {
  /// When a request may be sent again.
  enum Repetition: Sendable {
    /// Whatever happened: reads, and writes that no other write can come between.
    case always
    /// After any response, or if it was never sent. After a lost connection the first copy may still be executed, later
    /// than writes that follow the second.
    case ifAnswered
    /// Only if the server has certainly not executed it: a second copy would find its condition changed by the first.
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
