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

  /// The entity tag, which identifies the bytes of an object, with its quotes.
  var etag: String? { self["ETag"] }

  /// The error that this response reports.
  var failure: S3Error {
    var error: XMLNode?
    // A proxy may answer with an HTML page instead of S3's XML. The error then has only the status.
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

  /// Returns the root element of an XML response. Throws if the response is an error document: S3 may send one with
  /// status 200.
  func document(_ name: String) throws -> XMLNode {
    let root: XMLNode
    do { root = try XMLNode(parsing: data) } catch {
      throw S3Error(status: status, code: "", message: "the response is not XML: \(error)", requestID: nil)
    }
    if root.name == name { return root }
    if root.name == "Error" { throw failure }
    throw S3Error(
      status: status, code: "", message: "the response is a <\(root.name)> and not a <\(name)>",
      requestID: nil)
  }
}
