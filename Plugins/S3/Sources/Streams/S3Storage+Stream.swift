#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import StrataCore

extension S3Storage {
  /// Returns the bytes of an entry, which are requested in ranges of up to `S3Config.partSize` bytes, two of them
  /// ahead.
  ///
  /// Takes one request, which also receives the first bytes: a value of up to 1 MiB needs no other. All ranges are
  /// requested with `If-Match`: if the value is replaced or removed while it is read, the sequence throws
  /// `.backendFailed`. After a lost connection, only the current range is requested again.
  public func stream(_ key: Key, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    guard try how.mayRead() else { return nil }
    let name = names.name(key)
    return try await explaining("read the entry", key) {
      let range = (range ?? 0..<1 << 60).clamped(to: 0..<1 << 60)
      guard let begun = try await beginning(name, range) else { return nil }
      let (response, first) = begun
      let object = try StoredObject(response)
      let head = name.head.count
      guard object.size >= head else { throw StoredObject.lacksKey }
      let parts = ObjectParts(
        store: self, key: key, name: name, etag: object.etag, size: object.size, first: first,
        bytes: response.data)
      return StoredBytes(
        length: object.size - head, range: range, expiry: object.expiry, version: object.etag,
        modified: HTTPDate.parse(response["Last-Modified"]), open: parts.open)
    }
  }

  /// Returns the response for an object with the first bytes of a range of its value, and the range of these bytes.
  /// Returns `nil` if there is no object.
  private func beginning(
    _ name: ObjectNames.Name, _ range: Range<Int>
  ) async throws -> (S3Response, Range<Int>)? {
    let head = name.head.count
    // The text of a hashed key is checked first. The range follows at once if it begins there.
    let start = head == 0 ? range.lowerBound : 0
    let end = head == 0 || range.lowerBound == 0 ? range.prefix(StoredBytes.partSize).endIndex + head : head
    if start < end {
      let content = S3Request.Content.range(end - start)
      let request = S3Request(
        method: "GET", name: name.text, fields: [("Range", "bytes=\(start)-\(end - 1)")], content: content)
      let response = try await client.send(request, expecting: [404, 416])
      client.knowledge.withLock { $0.exists = true }
      if response.status == 404 { return nil }
      if response.status != 416 {
        guard response.status == 206 || start == 0 else {
          throw StorageError.backendFailed.with(
            "the server ignores `Range`: values can only be read as a whole")
        }
        guard response.data.starts(with: name.head) else { throw StoredObject.lacksKey }
        let size = try StoredObject(response).size
        guard response.data.count == min(end, size) - start else {
          throw StorageError.backendFailed.with(
            "the server sent \(response.data.count) bytes of the range \(start)..<\(end) of \(size)")
        }
        let first = max(start - head, 0)
        return (response, first..<max(first, start + response.data.count - head))
      }
    }
    // The range is empty, or lies behind the end.
    return try await client.read(name.text, method: "HEAD").map { ($0, 0..<0) }
  }
}
