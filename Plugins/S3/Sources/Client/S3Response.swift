#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A complete response of a server.
struct S3Response: Sendable {
  let status: Int
  let data: Data
  private let fields: [String: String]

  init(_ response: WebResponse) {
    status = response.status
    // A refusal with a body that is too long has no body.
    data = response.data ?? Data()
    fields = response.fields
  }

  subscript(field: String) -> String? { fields[field.lowercased()] }

  var isSuccess: Bool { 200..<300 ~= status }

  /// The entity tag, which identifies the bytes of an object, with its quotes.
  var etag: String? { self["ETag"] }

  /// Throws unless this response is a success, or has one of the statuses `others`, in a form in which S3 answers the
  /// request. A web page of a proxy, or of another server, does not prove that anything was stored, removed or absent.
  func requireForm(answering request: S3Request, expecting others: Set<Int>) throws {
    let isForm =
      switch (status, request.method) {
      case (404, "HEAD"): others.contains(404)
      case (404, _): others.contains(404) && ["NoSuchKey", "NoSuchUpload"].contains(failure.code)
      // Only copies need a document, but some servers may send one with other writes.
      case (200, "PUT") where request.name != nil:
        data.isEmpty ? etag != nil : root?.name.hasSuffix("Result") == true
      // The caller reads the document of a list of parts.
      case (200, "GET"), (200, "HEAD"): request.name == nil || etag != nil || !request.query.isEmpty
      case (206, "GET"): etag != nil && hasRange(of: request)
      case (204, "DELETE"): true
      // The caller reads the document.
      case (200, "POST"), (200, "PUT"): true
      default: !isSuccess && others.contains(status)
      }
    if isForm { return }
    guard isSuccess, failure.code.isEmpty else { throw failure }
    throw foreign(
      "the response to \(request.method) has \(data.count) bytes of type \(self["Content-Type"] ?? "-"), ETag \(etag ?? "-")"
    )
  }

  /// Whether this partial response has all bytes of the requested range that the object has. A shorter one would look
  /// like a shorter value.
  private func hasRange(of request: S3Request) -> Bool {
    func numbers(_ text: String?) -> [Int?] {
      (text ?? "").split { "= -/".contains($0) }.dropFirst().map { Int($0) }
    }
    let asked = numbers(request.fields.first { $0.name == "Range" }?.value)
    let answered = numbers(self["Content-Range"])
    guard asked.count == 2, answered.count == 3, let end = asked[1], let last = answered[1],
      let size = answered[2]
    else { return false }
    return answered[0] == asked[0] && last == min(end, size - 1)
  }

  /// Returns the error for a response that no S3 server gives.
  func foreign(_ reason: String) -> S3Error {
    S3Error(status: status, code: "", message: reason, requestID: self["x-amz-request-id"])
  }

  /// The error that this response reports.
  var failure: S3Error {
    // A proxy may answer with an HTML page instead of S3's XML. The error then has only the status.
    let error = root.flatMap { $0.name == "Error" ? $0 : nil }
    var message = error?["Message"]?.text ?? ""
    if let region = self["x-amz-bucket-region"], 300..<400 ~= status {
      message += " The bucket is in \(region)."
    }
    return S3Error(
      status: status, code: error?["Code"]?.text ?? "", message: message,
      requestID: error?["RequestId"]?.text ?? self["x-amz-request-id"])
  }

  /// Returns the root element of an XML response. Throws if the response is an error document: S3 may send one with
  /// status 200.
  func document(_ name: String) throws -> XMLNode {
    let root: XMLNode
    do { root = try XMLNode(parsing: data) } catch { throw foreign("the response is not XML: \(error)") }
    if root.name == name { return root }
    if root.name == "Error" { throw failure }
    throw foreign("the response is a <\(root.name)> and not a <\(name)>")
  }

  /// The root element of the body, or `nil` if the body is not XML.
  var root: XMLNode? { do { return try XMLNode(parsing: data) } catch { return nil } }
}
