#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The parts of one value of a key. They are requested with its entity tag, so that no other value's parts follow.
struct ObjectParts<Key: StorageKey>: Sendable {
  let store: S3Storage<Key>
  let key: Key
  let name: ObjectNames.Name
  let etag: String
  /// A range of the value that has already been received.
  let first: Range<Int>
  /// The bytes that have been received. They end with the first range.
  let bytes: Data

  /// Begins to read a range of the value.
  func open(_ range: Range<Int>) async throws -> StoredBytes.Parts {
    let isKnown = first.lowerBound <= range.lowerBound && range.lowerBound < first.upperBound
    let beginning = isKnown ? bytes.suffix(first.upperBound - range.lowerBound).prefix(range.count) : Data()
    let size = store.client.config.rangeSize
    let reader = RangeReader(beginning, range.dropFirst(beginning.count), size: size) { range in
      try await store.explaining("read the entry", key) { try await request(range) }
    }
    return { try await reader.next() }
  }

  /// Returns a range of the bytes of an object. Throws if the object has been replaced or removed.
  private func request(_ range: Range<Int>) async throws -> Data {
    let range = name.head.count + range.lowerBound..<name.head.count + range.upperBound
    let request = S3Request(
      method: "GET", name: name.text,
      fields: [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"), ("If-Match", etag)],
      content: .range(range.count))
    let response = try await store.client.send(request, expecting: [404, 412])
    guard response.isSuccess, response.etag == etag else {
      let what = response.status == 404 ? "removed" : "replaced by another one"
      throw StorageError.replacedMeanwhile.with("the value was \(what) while it was read: read it again")
    }
    guard response.data.count == range.count else {
      throw StorageError.backendFailed.with(
        "the server sent \(response.data.count) bytes for a range of \(range.count)")
    }
    return response.data
  }
}

extension S3Config {
  /// The number of bytes that a stream requests at a time. Three such ranges are in memory.
  fileprivate var rangeSize: Int { min(partSize, 8 << 20) }
}
