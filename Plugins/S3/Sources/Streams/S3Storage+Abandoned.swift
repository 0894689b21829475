#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension S3Storage {
  /// Deletes the parts of this store's uploads that were begun more than a day ago: their processes have ended before
  /// they could complete or delete them.
  ///
  /// Takes one request if there are none. Does nothing if the server does not list uploads, or this client may not.
  func abortAbandonedUploads() async throws {
    let limit = client.serverDate.addingTimeInterval(-86_400)
    var position: [(name: String, value: String)] = []
    while true {
      let request = S3Request(
        method: "GET", query: [("uploads", ""), ("prefix", names.prefix)] + position)
      let response = try await client.send(request, expecting: [403, 405, 501])
      if !response.isSuccess { return }
      let result = try response.document("ListMultipartUploadsResult")
      for upload in result.all("Upload") {
        guard let name = upload["Key"]?.text, names.read(name) != nil, let id = upload["UploadId"]?.text,
          let begun = upload["Initiated"].flatMap({ Self.date($0.text) }), begun < limit
        else { continue }
        try await client.abortUpload(name, id)
      }
      guard result["IsTruncated"]?.text == "true", let name = result["NextKeyMarker"]?.text,
        let id = result["NextUploadIdMarker"]?.text
      else { return }
      let next: [(name: String, value: String)] = [("key-marker", name), ("upload-id-marker", id)]
      guard position.map(\.value) != next.map(\.value) else {
        throw response.foreign("the list of uploads is incomplete, and has no new marker")
      }
      position = next
    }
  }

  /// Returns the date of an ISO 8601 text, with or without fractions of a second.
  private static func date(_ text: String) -> Date? {
    for hasFractions in [true, false] {
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFractions)
      do { return try style.parse(text) } catch { continue }
    }
    return nil
  }
}
