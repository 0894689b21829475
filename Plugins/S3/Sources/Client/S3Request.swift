#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

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
  var content = Content.document

  /// The content of a successful response, which limits the number of its bytes. A response that exceeds the limit is
  /// not received to its end.
  enum Content: Sendable {
    /// A document of XML, or nothing. A list of 1 000 names of 1 024 escaped bytes takes 4 MB.
    case document
    /// A value of at most so many bytes, after the text of a hashed key.
    case value(limit: Int, head: Int)
    /// As many bytes of an object as were requested.
    case range(Int)

    /// The maximum number of bytes of the body of an unsuccessful response that are read.
    static let refusalLimit = 1 << 20

    var limit: Int {
      switch self {
      case .document: 16 << 20
      case .value(let limit, let head): limit + head
      case .range(let count): count
      }
    }

    /// The error for a body that exceeds the limit.
    var excess: StorageError {
      switch self {
      case .document:
        .backendFailed.with("the response has more than \(limit) bytes, unlike S3's: check `endpoint`")
      case .value(let limit, _):
        .tooLarge.with(
          "the value has more bytes than S3Config.maximumValueSize, \(limit): read it a part at a time, or raise the limit"
        )
      case .range(let count):
        .backendFailed.with("the server sent more than \(count) bytes for a range of \(count)")
      }
    }
  }
}
