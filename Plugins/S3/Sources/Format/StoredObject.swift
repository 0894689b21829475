#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The parts of an object's response that a store uses.
struct StoredObject: Sendable {
  /// The field that holds the expiry, in milliseconds since 1970. Entries that never expire do not have it.
  static let expiryField = "x-amz-meta-strata-expiry"

  let expiry: Expiry
  /// The entity tag, which identifies the bytes of the object.
  let etag: String
  /// The number of bytes of the object, including the text of a hashed key.
  let size: Int

  init(_ response: S3Response) throws(StorageError) {
    if let text = response[Self.expiryField] {
      guard let milliseconds = Int(text) else {
        throw .malformedFileAttributes.with(
          "the expiry of the object is not a number: \(String(reflecting: String(text.prefix(40))))")
      }
      expiry = Expiry(secondsSince1970: Double(milliseconds) / 1000)
    } else {
      expiry = .never
    }
    guard let etag = response.etag else {
      throw .backendFailed.with("the server returned an object without an ETag")
    }
    self.etag = etag
    // The length of a response to a request for a range is that of the range.
    let whole = response["Content-Range"].flatMap { $0.split(separator: "/").last }.flatMap { Int($0) }
    size = whole ?? response["Content-Length"].flatMap(Int.init) ?? response.data.count
  }

  /// Returns the fields that store an expiry, which must be a date or `.never`.
  static func fields(_ expiry: Expiry) -> [(name: String, value: String)] {
    guard let seconds = expiry.secondsSince1970 else { return [] }
    let milliseconds = (seconds * 1000).rounded()
    // A date too late to be represented in the field is stored as `.never`.
    guard let number = Int(exactly: milliseconds) else { return milliseconds < 0 ? [(expiryField, "0")] : [] }
    return [(expiryField, "\(number)")]
  }

  /// Returns the value in the bytes of an object. Throws if they do not begin with the text of the hashed key.
  static func value(of data: Data, _ name: ObjectNames.Name) throws(StorageError) -> Data {
    if name.head.isEmpty { return data }
    guard data.starts(with: name.head) else { throw lacksKey }
    return Data(data.dropFirst(name.head.count))
  }

  /// The error for an object that does not begin with the text of its hashed key.
  static var lacksKey: StorageError {
    .malformedFileAttributes.with(
      "the object does not begin with the text of its key: it was written by another program")
  }
}
