import Foundation

/// A certificate authority and its certificates, created for each test run and trusted only by the tests.
package struct Certificates: Sendable {
  private let folder = TemporaryFolder()

  /// The certificates of this run.
  package static let all = Task { try await onThread { try Certificates() } }

  /// Creates the certificates with the `openssl` program. The server's is for `redis.test` and 127.0.0.1.
  private init() throws {
    try make("authority", [])
    try make("stranger", [])
    let signed = ["-CA", path("authority.pem"), "-CAkey", path("authority.key")]
    try make("server", signed + ["-addext", "subjectAltName=DNS:redis.test,IP:127.0.0.1"])
    try make("client", signed)
  }

  package func path(_ name: String) -> String { folder.url.appending(path: name).path(percentEncoded: false) }

  private func make(_ name: String, _ options: [String]) throws {
    let (end, printed) = try Program.run(
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2",
        "-subj", "/CN=\(name)", "-keyout", path("\(name).key"), "-out", path("\(name).pem"),
      ] + options)
    guard end == .exit(0) else {
      throw CannotStart(reason: "no certificate: \(String(decoding: printed, as: UTF8.self))")
    }
  }
}
