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
  /// The number of bytes of the object, including the text of a hashed key.
  let size: Int
  /// A range of the value that has already been received.
  let first: Range<Int>
  /// The bytes that have been received. They end with the first range.
  let bytes: Data

  /// Begins to read a range of the value.
  func open(_ range: Range<Int>) async throws -> StoredBytes.Parts {
    let reader = try await explaining { try await self.reader(of: range) }
    return { try await explaining { try await reader.next() } }
  }

  private func reader(of range: Range<Int>) async throws -> RangeReader {
    let isKnown = first.lowerBound <= range.lowerBound && range.lowerBound < first.upperBound
    var beginning = isKnown ? bytes.suffix(first.upperBound - range.lowerBound).prefix(range.count) : Data()
    var checks: PartChecks?
    if beginning.count < range.count {
      checks = try await store.client.partChecks(name.text, etag: etag, size: size)
    }
    if checks != nil {
      // Bytes are returned when the whole part has been verified. They are requested again with the rest of it.
      beginning = Data()
      if range.lowerBound == 0, !name.head.isEmpty { try checks?.add(Data(name.head), at: 0) }
    }
    let start = name.head.count + range.lowerBound + beginning.count
    return RangeReader(
      beginning, start..<name.head.count + range.upperBound, size: store.client.config.rangeSize,
      checks: checks, fetch: request)
  }

  private func explaining<R>(_ body: () async throws -> R) async throws -> R {
    try await store.explaining("read the entry", key, body)
  }

  /// Returns a range of the bytes of an object. Throws if the object has been replaced or removed.
  private func request(_ range: Range<Int>) async throws -> Data {
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
