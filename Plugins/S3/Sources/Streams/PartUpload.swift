#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// An upload of an object in parts, which become visible together. One task uses it at a time.
final class PartUpload: Sendable {
  /// A part that is stored.
  private struct Part {
    let tag: String
    let checksum: CRC32C?
  }

  private struct State {
    /// The parts that are stored, in order.
    var stored: [Part] = []
    /// The parts that are being sent, in order.
    var sending: [Task<Part, any Error>] = []
  }

  private let client: S3Client
  private let name: String
  private let id: String
  private let state = Locked(State())

  /// Begins an upload of an object with the given header fields.
  init(_ client: S3Client, _ name: String, fields: [(name: String, value: String)]) async throws {
    self.client = client
    self.name = name
    // If this response is lost, the bucket keeps an unfinished upload without parts, whose identifier is unknown here.
    let checksums = client.config.partChecksums ? [(name: "x-amz-checksum-algorithm", value: "CRC32C")] : []
    let begin = S3Request(method: "POST", name: name, query: [("uploads", "")], fields: fields + checksums)
    let begun = try await client.send(begin).document("InitiateMultipartUploadResult")
    guard let id = begun["UploadId"]?.text, !id.isEmpty else {
      throw StorageError.backendFailed.with(
        "the server began a multipart upload without returning its identifier")
    }
    self.id = id
  }

  deinit { for task in state.withLock({ $0.sending }) { task.cancel() } }

  /// The number of the next part, from 1.
  var nextNumber: Int { state.withLock { $0.stored.count + $0.sending.count + 1 } }

  /// Begins to send the next part. It is in memory twice meanwhile.
  func add(_ part: Data) {
    let checksum = client.config.partChecksums ? CRC32C(part) : nil
    let request = S3Request(
      method: "PUT", name: name, query: [("partNumber", "\(nextNumber)"), ("uploadId", id)],
      fields: checksum.map { [("x-amz-checksum-crc32c", $0.base64)] } ?? [], body: part)
    let client = client
    let task = Task {
      guard let tag = try await client.send(request).etag else {
        throw StorageError.backendFailed.with("the server stored a part without returning its ETag")
      }
      return Part(tag: tag, checksum: checksum)
    }
    state.withLock { $0.sending.append(task) }
  }

  /// Waits until at most `count` parts are being sent. Throws the error of a part that could not be sent.
  func settle(leaving count: Int = 0) async throws {
    while let task = state.withLock({ $0.sending.count > count ? $0.sending.first : nil }) {
      let part = try await task.valueOrCancelled()
      state.withLock {
        $0.sending.removeFirst()
        $0.stored.append(part)
      }
    }
  }

  /// Makes an object of the parts. Returns `false`, and stores nothing, if the condition does not hold.
  func complete(_ condition: Condition?) async throws -> Bool {
    try await settle()
    var text = "<CompleteMultipartUpload>"
    for (index, part) in state.withLock({ $0.stored }).enumerated() {
      text += "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(XMLNode.escaped(part.tag))</ETag>"
      if let checksum = part.checksum { text += "<ChecksumCRC32C>\(checksum.base64)</ChecksumCRC32C>" }
      text += "</Part>"
    }
    let request = S3Request(
      method: "POST", name: name, query: [("uploadId", id)],
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

  /// Deletes the parts, also in a cancelled task.
  func abort() async throws {
    let sending = state.withLock { state in
      defer { state.sending = [] }
      return state.sending
    }
    for task in sending { task.cancel() }
    // The server may keep a part that arrives after the upload has been aborted, so all requests must have ended. The
    // caller knows why the upload fails.
    for task in sending { _ = await task.result }
    try await Task { try await client.abortUpload(name, id) }.value
  }
}

extension S3Client {
  /// Deletes the parts of an upload.
  func abortUpload(_ name: String, _ id: String) async throws {
    let request = S3Request(method: "DELETE", name: name, query: [("uploadId", id)])
    // With 404, the upload was already deleted, or was completed after all.
    _ = try await send(request, expecting: [404])
  }
}

extension Task where Failure == any Error {
  /// Waits for the task, and cancels it if the waiting task is cancelled.
  func valueOrCancelled() async throws -> Success {
    try await withTaskCancellationHandler {
      try await value
    } onCancel: {
      cancel()
    }
  }
}
