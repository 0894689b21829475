import Foundation
import TestSupport

@testable import StrataRedis

/// An authority and its certificates, made for each test run, which only the tests trust.
struct Certificates: Sendable {
  private let folder = TemporaryFolder()

  /// The certificates of this run.
  static let all = Task { try await onThread { try Certificates() } }

  /// Creates the certificates with the `openssl` program. The server's is for `redis.test` and 127.0.0.1.
  private init() throws {
    try make("authority", [])
    try make("stranger", [])
    let signed = ["-CA", path("authority.pem"), "-CAkey", path("authority.key")]
    try make("server", signed + ["-addext", "subjectAltName=DNS:redis.test,IP:127.0.0.1"])
    try make("client", signed)
  }

  func path(_ name: String) -> String { folder.url.appending(path: name).path(percentEncoded: false) }

  /// Returns the options of a server that accepts only TLS.
  func server(_ options: String...) -> [String] {
    [
      "--port", "0", "--tls-port", "PORT", "--tls-cert-file", path("server.pem"), "--tls-key-file",
      path("server.key"),
      "--tls-ca-cert-file", path("authority.pem"),
    ] + options
  }

  /// The options of a cluster node that uses TLS at its second port, and with the other nodes.
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
