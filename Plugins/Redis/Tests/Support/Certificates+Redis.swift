import StrataRedis
import TestSupport

extension Certificates {
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
}
