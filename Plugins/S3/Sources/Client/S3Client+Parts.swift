#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension S3Client {
  /// Returns the checks of an object that was uploaded in parts, or `nil` if the server has no checksums of it. Its
  /// bytes cannot be verified then.
  ///
  /// Takes a request per 1 000 parts, and one more if the server has a checksum of the checksums only.
  func partChecks(_ name: String, etag: String, size: Int) async throws -> PartChecks? {
    guard config.partChecksums, etag.contains("-"), !knowledge.withLock({ $0.hidesParts }) else { return nil }
    var parts: [PartChecks.Part] = []
    var marker = 0
    repeat {
      let list = S3Request(
        method: "GET", name: name, query: [("attributes", "")],
        fields: [
          ("x-amz-object-attributes", "ETag,ObjectParts"), ("x-amz-max-parts", "1000"),
          ("x-amz-part-number-marker", "\(marker)"),
        ])
      let response = try await send(list, expecting: [400, 403, 404, 405, 501])
      if !response.isSuccess {
        knowledge.withLock { $0.hidesParts = response.status != 404 }
        return nil
      }
      // The name of the root differs among servers. Ranges of an object that was replaced are refused by their own
      // condition.
      guard let result = response.root,
        result["ETag"]?.text.filter({ $0 != "\"" }) == etag.filter({ $0 != "\"" }),
        let list = result["ObjectParts"]
      else { return nil }
      for part in list.all("Part") {
        let start = parts.last?.end ?? 0
        guard let count = part["Size"].flatMap({ Int($0.text) }), 1...max(size - start, 1) ~= count else {
          return nil
        }
        let checksum = part["ChecksumCRC32C"].flatMap { CRC32C(base64: $0.text) }
        parts.append(PartChecks.Part(end: start + count, checksum: checksum))
      }
      guard list["IsTruncated"]?.text == "true" else { break }
      guard let next = list["NextPartNumberMarker"].flatMap({ Int($0.text) }), next > marker else {
        return nil
      }
      marker = next
    } while true
    guard parts.last?.end == size else { return nil }
    if parts.allSatisfy({ $0.checksum != nil }) { return PartChecks(parts, ofAll: nil) }
    let head = S3Request(
      method: "HEAD", name: name, fields: [("x-amz-checksum-mode", "ENABLED"), ("If-Match", etag)])
    let words = try await send(head, expecting: [404, 412])["x-amz-checksum-crc32c"]?.split(separator: "-")
    // Without the number of parts, it is a checksum of the bytes.
    guard let words, words.count == 2, Int(words[1]) == parts.count,
      let all = CRC32C(base64: String(words[0]))
    else { return nil }
    return PartChecks(parts, ofAll: all)
  }
}
