import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends a request to the origin, and returns the response as soon as its header fields have arrived.
typealias StreamingOrigin = @Sendable (Request) async throws -> StreamedResponse

/// The body of a response from an offset on, for a reader that has the bytes before it: the request is sent again.
///
/// The bytes belong together only if the new response has the same body. An equal `ETag` shows that, unless it is a
/// weak one, and so does an equal `Last-Modified`.
struct BodyRemainder: Sendable {
  private let fields: HeaderFields
  private let status: Int
  private let length: Int
  private let origin: @Sendable () async throws -> StreamedResponse

  /// - Parameters:
  ///   - fields: the header fields of the response whose beginning the reader has.
  ///   - length: the number of bytes of its body.
  init(
    _ fields: HeaderFields, status: Int, length: Int,
    from origin: @escaping @Sendable () async throws -> StreamedResponse
  ) {
    (self.fields, self.status, self.length, self.origin) = (fields, status, length, origin)
  }

  /// Returns a range of the body, from a new response. Throws if that has, or may have, another body.
  func parts(_ range: Range<Int>) async throws -> StoredBytes.Parts {
    let response = try await origin()
    guard response.httpUrlResponse.statusCode == status, response.body.length ?? length == length,
      hasSameBody(HeaderFields(of: response.httpUrlResponse))
    else {
      throw StorageError.backendFailed.with(
        "the store could not return all of the body, and the origin's response is not known to have the same one; send "
          + "the request again", place: response.httpUrlResponse.url?.withoutSecrets)
    }
    let parts = try await response.body.open()
    var (position, rest) = (0, range)
    return {
      while !rest.isEmpty, let part = try await parts() {
        let wanted = part.dropFirst(max(0, rest.lowerBound - position)).prefix(rest.count)
        position += part.count
        rest = rest.lowerBound + wanted.count..<rest.upperBound
        if !wanted.isEmpty { return wanted }
      }
      return nil
    }
  }

  private func hasSameBody(_ others: HeaderFields) -> Bool {
    if let tag = fields["ETag"], !tag.isEmpty, !tag.hasPrefix("W/") { return others["ETag"] == tag }
    return fields["Last-Modified"] != nil && others["Last-Modified"] == fields["Last-Modified"]
  }

  /// Returns bytes of the store which, where they cannot be read any more, go on with those of the origin.
  ///
  /// - Parameter failed: called with the store's error. If it throws, so does the reader.
  func continuing(
    _ bytes: StoredBytes, failed: @escaping @Sendable (any Error) async throws -> Void
  ) -> StoredBytes {
    StoredBytes(
      length: bytes.length, range: bytes.range, expiry: bytes.expiry, version: bytes.version,
      modified: bytes.modified
    ) { range in
      var parts: StoredBytes.Iterator? = bytes.reading(range).makeAsyncIterator()
      var rest: StoredBytes.Parts?
      var offset = range.lowerBound
      return {
        if rest == nil {
          do {
            guard let part = try await parts?.next() else { return nil }
            offset += part.count
            return part
          } catch  where !(error is CancellationError) {
            parts = nil
            try await failed(error)
            rest = try await self.parts(offset..<range.upperBound)
          }
        }
        return try await rest?()
      }
    }
  }
}
