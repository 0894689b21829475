#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The division of a large object into parts, and the source of their bytes.
struct Parts: Sendable {
  /// The largest number of parts that S3 permits.
  private static let most = 10_000

  /// The ranges of bytes, in order.
  let ranges: [Range<Int>]
  /// Returns the bytes of one of the ranges.
  let read: @Sendable (Range<Int>) async throws -> Data
  /// The number of parts that are uploaded at the same time. Each is in memory as a whole, in more than one copy.
  var concurrent = 2

  init(size: Int, config: S3Config, read: @escaping @Sendable (Range<Int>) async throws -> Data) {
    ranges = Self.ranges(size, partSize: config.partSize)
    self.read = read
  }

  /// Divides a number of bytes into at most 10 000 parts.
  static func ranges(_ size: Int, partSize: Int) -> [Range<Int>] {
    let part = max(partSize, (size + most - 1) / most, 1)
    return stride(from: 0, to: size, by: part).map { $0..<min($0 + part, size) }
  }
}

extension S3Storage {
  /// Uploads an object in parts. Readers see it once all parts are stored. Returns `false`, and stores nothing, if the
  /// condition does not hold then. If the upload fails, its parts are deleted.
  func upload(
    _ parts: Parts, _ name: ObjectNames.Name, _ expiry: Expiry, if condition: Condition?
  ) async throws -> Bool {
    try await markExpiring(expiry)
    // If this response is lost, the bucket keeps an unfinished upload without parts, whose identifier is unknown here.
    let begin = S3Request(
      method: "POST", name: name.text, query: [("uploads", "")], fields: StoredObject.fields(expiry))
    let begun = try await client.send(begin).document("InitiateMultipartUploadResult")
    guard let id = begun["UploadId"]?.text, !id.isEmpty else {
      throw StorageError.backendFailed.with(
        "the server began a multipart upload without returning its identifier")
    }
    do {
      let tags = try await upload(parts, name, id)
      let isStored = try await complete(name, id, tags, condition)
      if !isStored { try await abort(name, id) }
      return isStored
    } catch {
      throw await aborted(name, id, after: error)
    }
  }

  /// Returns the entity tags of the uploaded parts, in order.
  private func upload(_ parts: Parts, _ name: ObjectNames.Name, _ id: String) async throws -> [String] {
    let client = client
    let tags = try await concurrently(parts.ranges.enumerated(), limit: parts.concurrent) {
      index, range in
      let request = S3Request(
        method: "PUT", name: name.text, query: [("partNumber", "\(index + 1)"), ("uploadId", id)],
        body: try await parts.read(range))
      guard let tag = try await client.send(request).etag else {
        throw StorageError.backendFailed.with("the server stored a part without returning its ETag")
      }
      // The C library would otherwise keep the memory of large buffers that several threads have freed.
      FreedMemory.giveBack()
      return (index, tag)
    }
    return tags.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func complete(
    _ name: ObjectNames.Name, _ id: String, _ tags: [String], _ condition: Condition?
  ) async throws -> Bool {
    var text = "<CompleteMultipartUpload>"
    for (index, tag) in tags.enumerated() {
      text += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(XMLNode.escaped(tag))</ETag></Part>"
    }
    let request = S3Request(
      method: "POST", name: name.text, query: [("uploadId", id)],
      fields: [("Content-Type", "application/xml")] + (condition.map { [$0.field] } ?? []),
      body: Data((text + "</CompleteMultipartUpload>").utf8), repetition: .ifRefused)
    let response = try await client.send(request, expecting: condition == nil ? [] : [404, 409, 412])
    if !response.isSuccess {
      if response.status == 404, response.failure.code != "NoSuchKey" { throw response.failure }
      return false
    }
    // A server that takes long to assemble the parts sends its status early, and the actual result in the body.
    do { _ = try response.document("CompleteMultipartUploadResult") } catch let error as S3Error {
      if condition != nil, error.code == "PreconditionFailed" { return false }
      throw error
    }
    return true
  }

  /// Deletes the uploaded parts, also in a cancelled task. Returns the error to throw.
  private func aborted(_ name: ObjectNames.Name, _ id: String, after error: any Error) async -> any Error {
    let abortion = Task { try await abort(name, id) }
    do {
      try await abortion.value
      return error
    } catch let second {
      guard let first = error as? StorageError else { return error }
      return first.with(
        "\(first.message); its parts could not be deleted (\(second)): have a lifecycle rule delete incomplete uploads"
      )
    }
  }

  private func abort(_ name: ObjectNames.Name, _ id: String) async throws {
    let request = S3Request(method: "DELETE", name: name.text, query: [("uploadId", id)])
    // With 404, the upload was already deleted, or was completed after all.
    _ = try await client.send(request, expecting: [404])
  }
}
