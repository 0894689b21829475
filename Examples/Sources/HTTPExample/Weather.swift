import Foundation
import StrataHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A simulated server: it answers with a version, and with 304 to a client that already has that version.
struct Weather: ReadableStorage {
  /// Whether the server cannot be reached.
  static let isDown = Flag()

  func retrieve(forKey key: Request) async throws -> Response {
    if Weather.isDown.isSet { throw StorageError.backendFailed.with("no route to the server") }
    let isKnown = key.urlRequest.value(forHTTPHeaderField: "If-None-Match") == "\"1\""
    print("                          (the server answers \(isKnown ? "304, not modified" : "200"))")
    let fields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    guard let url = key.urlRequest.url,
      let head = HTTPURLResponse(
        url: url, statusCode: isKnown ? 304 : 200, httpVersion: "HTTP/1.1", headerFields: fields)
    else { throw StorageError.backendFailed.with("no address to answer") }
    return Response(httpUrlResponse: head, data: isKnown ? Data() : Data("sunny, -3 °C".utf8))
  }
}

/// A flag that any thread may set.
final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool {
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
  }
}
