import Foundation
import TestSupport

@testable import StrataRedis

/// An authority and certificates by it, made anew for each run of the tests, which only the tests believe.
struct Certificates: Sendable {
  private let folder = TemporaryFolder()

  /// Those of this run.
  static let all = Task { try await onThread { try Certificates() } }

  /// Makes them with the `openssl` program. That of the server is for `redis.test` and for 127.0.0.1.
  private init() throws {
    try make("authority", [])
    try make("stranger", [])
    let signed = ["-CA", path("authority.pem"), "-CAkey", path("authority.key")]
    try make("server", signed + ["-addext", "subjectAltName=DNS:redis.test,IP:127.0.0.1"])
    try make("client", signed)
  }

  func path(_ name: String) -> String { folder.url.appending(path: name).path(percentEncoded: false) }

  /// The options of a server that only speaks TLS.
  func server(_ options: String...) -> [String] {
    [
      "--port", "0", "--tls-port", "PORT", "--tls-cert-file", path("server.pem"), "--tls-key-file",
      path("server.key"),
      "--tls-ca-cert-file", path("authority.pem"),
    ] + options
  }

  /// The options of a node of a cluster that speaks TLS at its second port, and with the other nodes.
  var node: [String] {
    server("--port", "PORT", "--tls-port", "SECOND", "--tls-auth-clients", "no") + [
      "--tls-cluster", "yes", "--tls-replication", "yes",
    ]
  }

  var tls: RedisTLS { RedisTLS(authorities: path("authority.pem")) }

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
