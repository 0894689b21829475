#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The operations on objects that stores are built from.
extension S3Client {
  /// Returns the response for an object, without its body for `HEAD`, or `nil` if there is no object. Throws if the
  /// bucket does not exist.
  func read(
    _ name: String, method: String = "GET", fields: [(name: String, value: String)] = [],
    content: S3Request.Content = .document
  ) async throws -> S3Response? {
    let request = S3Request(method: method, name: name, fields: fields, content: content)
    let response = try await send(request, expecting: fields.isEmpty ? [404] : [404, 416])
    if response.status == 416 {
      // The server refused the range because the object is empty: request it without a range.
      return try await read(name, method: method, content: content)
    }
    if response.status == 404, method == "HEAD" {
      // A 404 without a body may mean that the object or the bucket is missing.
      if !knowledge.withLock({ $0.exists }) { try await requireBucket() }
      return nil
    }
    knowledge.withLock { $0.exists = true }
    return response.status == 404 ? nil : response
  }

  /// Throws if the bucket does not exist. A bucket that this client may not access is taken to exist.
  private func requireBucket() async throws {
    let list = S3Request(
      method: "GET", query: [("list-type", "2"), ("max-keys", "1"), ("prefix", "=")])
    let response = try await send(list, expecting: [403])
    if !response.isSuccess { return }
    _ = try response.document("ListBucketResult")
    knowledge.withLock { $0.exists = true }
  }

  /// Removes an object. With `etag`, removes it only if it has this entity tag, and returns `false` otherwise.
  func delete(_ name: String, ifMatch etag: String? = nil) async throws -> Bool {
    let request = S3Request(
      method: "DELETE", name: name, fields: etag.map { [("If-Match", $0)] } ?? [], repetition: .ifAnswered)
    let response = try await send(request, expecting: [404, 409, 412])
    guard [409, 412].contains(response.status) else { return true }
    if etag == nil { throw response.failure }
    return false
  }

  /// Removes up to 1 000 objects in one request. Throws unless the server confirms the removal of each.
  func delete(_ names: [String]) async throws {
    if names.isEmpty { return }
    var text = "<Delete>"
    for name in names { text += "<Object><Key>\(XMLNode.escaped(name))</Key></Object>" }
    let body = Array((text + "</Delete>").utf8)
    let request = S3Request(
      method: "POST", query: [("delete", "")],
      fields: [
        ("Content-Type", "application/xml"), ("Content-MD5", Data(MD5.hash(body)).base64EncodedString()),
      ],
      body: Data(body), repetition: .ifAnswered)
    let response = try await send(request)
    let result = try response.document("DeleteResult")
    if let error = result.all("Error").first {
      throw S3Error(
        status: 200, code: error["Code"]?.text ?? "",
        message: "\(error["Key"]?.text ?? ""): \(error["Message"]?.text ?? "")", requestID: nil)
    }
    let missing = Set(names).subtracting(result.all("Deleted").compactMap { $0["Key"]?.text })
    if !missing.isEmpty {
      throw response.foreign("\(missing.count) of \(names.count) removals are not confirmed")
    }
  }

  /// Throws if the server ignores the conditions of writes, since `update` would then lose changes. Sends a request
  /// only until the answer is known.
  func requireConditions(at name: String) async throws {
    if knowledge.withLock({ $0.hasConditions }) { return }
    // No object has this entity tag, so the server must refuse the write: with 412, or with 404 if there is no object.
    let request = S3Request(
      method: "PUT", name: name, fields: [("If-Match", "\"00000000000000000000000000000000\"")],
      body: Data())
    let response = try await send(request, expecting: [404, 409, 412])
    if response.isSuccess {
      _ = try await delete(name)
      throw StorageError.invalidConfiguration.with(
        "the server ignores the conditions of writes (If-Match), so that changes of others would be overwritten: use a server that supports them, or `setObject`"
      )
    }
    knowledge.withLock { $0.hasConditions = true }
  }
}
