import Foundation
import StrataCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A complete response of a server.
struct S3Response: Sendable {
  let status: Int
  let data: Data
  private let http: HTTPURLResponse

  init(_ http: HTTPURLResponse, _ data: Data) {
    status = http.statusCode
    self.data = data
    self.http = http
  }

  subscript(field: String) -> String? { http.value(forHTTPHeaderField: field) }

  var isSuccess: Bool { 200..<300 ~= status }

  /// The entity tag, with its quotes, which identifies the bytes of an object.
  var etag: String? { self["ETag"] }

  /// The failure that the response describes.
  var failure: S3Error {
    var error: XMLNode?
    // A proxy in between may answer with a page of its own; then the status has to suffice.
    do {
      let root = try XMLNode(parsing: data)
      if root.name == "Error" { error = root }
    } catch {}
    var message = error?["Message"]?.text ?? ""
    if let region = self["x-amz-bucket-region"], 300..<400 ~= status {
      message += " The bucket is in \(region)."
    }
    return S3Error(
      status: status, code: error?["Code"]?.text ?? "", message: message,
      requestID: error?["RequestId"]?.text ?? self["x-amz-request-id"])
  }

  /// Returns the root of an XML document. Throws the failure that it may describe in spite of a successful status.
  func document(_ name: String) throws -> XMLNode {
    let root: XMLNode
    do { root = try XMLNode(parsing: data) } catch {
      throw S3Error(status: status, code: "", message: "the response is no XML: \(error)", requestID: nil)
    }
    if root.name == name { return root }
    if root.name == "Error" { throw failure }
    throw S3Error(
      status: status, code: "", message: "the response is a <\(root.name)> and not a <\(name)>",
      requestID: nil)
  }
}
