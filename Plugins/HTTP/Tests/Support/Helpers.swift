import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

func request(_ url: URL, _ method: String = "GET", _ fields: [String: String] = [:]) -> Request {
  var request = URLRequest(url: url)
  request.httpMethod = method
  for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
  return .urlRequest(request)
}

extension Response {
  var text: String { String(decoding: data, as: UTF8.self) }
  var status: Int { httpUrlResponse.statusCode }
  subscript(name: String) -> String? { httpUrlResponse.value(forHTTPHeaderField: name) }
}

extension LocalServer.Answer {
  /// Returns a successful answer with a body and header fields.
  static func ok(_ body: String, _ fields: [String: String] = [:]) -> Self { status(200, body, fields) }

  static func status(_ status: Int, _ body: String = "", _ fields: [String: String] = [:]) -> Self {
    .init(status: status, fields: fields.map { ($0.key, $0.value) }, body: body)
  }
}

/// Returns an HTTP date, in seconds after the start of a `ManualClock`.
func httpDate(_ seconds: Double) -> String {
  let format = DateFormatter()
  format.locale = Locale(identifier: "en_US_POSIX")
  format.timeZone = TimeZone(secondsFromGMT: 0)
  format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
  return format.string(from: Date(timeIntervalSince1970: 1_000_000_000 + seconds))
}
