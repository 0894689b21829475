#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// What stores ask of a bucket.
extension S3Client {
  /// Returns the object, or its fields alone (`HEAD`), or `nil` if there is none. A missing bucket is an error.
  func read(
    _ name: String, method: String = "GET", fields: [(name: String, value: String)] = []
  ) async throws -> S3Response? {
    let request = S3Request(method: method, name: name, fields: fields)
    let response = try await send(request, expecting: fields.isEmpty ? [404] : [404, 416])
    if response.status == 416 {
      // An empty object has no range of bytes.
      return try await read(name, method: method)
    }
    if response.status != 404 {
      knowledge.withLock { $0.exists = true }
      return response
    }
    if method == "HEAD" {
      // Without a body it is not clear what is missing.
      if !knowledge.withLock({ $0.exists }) { try await requireBucket() }
      return nil
    }
    let failure = response.failure
    if failure.code == "NoSuchBucket" { throw failure }
    knowledge.withLock { $0.exists = true }
    return nil
  }

  /// Throws if the bucket does not exist. One that must not be listed counts as existing.
  private func requireBucket() async throws {
    let list = S3Request(
      method: "GET", query: [("list-type", "2"), ("max-keys", "1"), ("prefix", "=")])
    let response = try await send(list, expecting: [403])
    if response.isSuccess { knowledge.withLock { $0.exists = true } }
  }

  /// Removes the object, if there is one, and if its entity tag is the given one. Returns `false` if it is another.
  func delete(_ name: String, ifMatch etag: String? = nil) async throws -> Bool {
    let request = S3Request(
      method: "DELETE", name: name, fields: etag.map { [("If-Match", $0)] } ?? [], repetition: .ifAnswered)
    let response = try await send(request, expecting: [404, 409, 412])
    switch response.status {
    case 404 where response.failure.code == "NoSuchBucket": throw response.failure
    case 409, 412:
      if etag == nil { throw response.failure }
      return false
    default: return true
    }
  }

  /// Removes up to 1 000 objects in one request.
  func delete(_ names: [String]) async throws {
    if names.isEmpty { return }
    var text = "<Delete><Quiet>true</Quiet>"
    for name in names { text += "<Object><Key>\(XMLNode.escaped(name))</Key></Object>" }
    let body = Array((text + "</Delete>").utf8)
    let request = S3Request(
      method: "POST", query: [("delete", "")],
      fields: [
        ("Content-Type", "application/xml"), ("Content-MD5", Data(MD5.hash(body)).base64EncodedString()),
      ],
      body: Data(body), repetition: .ifAnswered)
    let result = try await send(request).document("DeleteResult")
    if let error = result.all("Error").first {
      throw S3Error(
        status: 200, code: error["Code"]?.text ?? "",
        message: "\(error["Key"]?.text ?? ""): \(error["Message"]?.text ?? "")", requestID: nil)
    }
  }

  /// Throws if the server ignores the conditions of writes: then `update` would lose changes. Asks once.
  func requireConditions(at name: String) async throws {
    if knowledge.withLock({ $0.hasConditions }) { return }
    // No object has this tag, so the write must be refused: by 412, or 404 because there is none.
    let request = S3Request(
      method: "PUT", name: name, fields: [("If-Match", "\"00000000000000000000000000000000\"")],
      body: Data())
    let response = try await send(request, expecting: [404, 409, 412])
    if response.status == 404, response.failure.code == "NoSuchBucket" { throw response.failure }
    if response.isSuccess {
      _ = try await delete(name)
      throw StorageError.invalidConfiguration.with(
        "the server ignores the conditions of writes (If-Match), so that changes of others would be overwritten: use a server that supports them, or `setObject`"
      )
    }
    knowledge.withLock { $0.hasConditions = true }
  }
}
