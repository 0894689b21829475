import Foundation
import StrataPostgres
import TestSupport
import Testing

/// Encrypted connections to a real server.
@Suite(.endsInTime) struct PostgresTLSTests {
  private static let server = Task {
    let certificates = try await Certificates.all.value
    return try await PostgresServer(
      [
        "ssl=on", "ssl_cert_file=FOLDER/server.pem", "ssl_key_file=FOLDER/server.key",
        "ssl_ca_file=FOLDER/authority.pem",
      ], rules: ["hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca"],
      files: ["server.pem", "server.key", "authority.pem"].map(certificates.path))
  }

  private func store(_ change: (inout PostgresTLS) -> Void) async throws -> PostgresStorage<String> {
    let certificates = try await Certificates.all.value
    var tls = PostgresTLS(
      authorities: certificates.path("authority.pem"), certificate: certificates.path("client.pem"),
      privateKey: certificates.path("client.key"))
    change(&tls)
    return try await Self.server.value.store("encrypted") { $0.tls = tls }
  }

  @Test func theServersCertificateIsVerified() async throws {
    let store = try await store { _ in }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<20 {
        group.addTask {
          let value = Data(repeating: UInt8(task), count: 200_000)
          try await store.setObject(value, forKey: "\(task)")
          #expect(try await store.object(forKey: "\(task)") == value)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.keys().count == 20)
  }

  @Test func aCertificateOfAnotherAuthorityIsRefused() async throws {
    let certificates = try await Certificates.all.value
    let store = try await store { $0.authorities = certificates.path("stranger.pem") }
    let error = try #require(await failure { try await store.object(forKey: "a") })
    #expect(error == .backendFailed && error.description.contains("certificate verify failed"), "\(error)")
  }

  @Test func aCertificateForAnotherNameIsRefused() async throws {
    let certificates = try await Certificates.all.value
    let server = try await Self.server.value
    let store = try server.store("encrypted") {
      $0.host = "localhost"
      $0.tls = PostgresTLS(
        authorities: certificates.path("authority.pem"), certificate: certificates.path("client.pem"),
        privateKey: certificates.path("client.key"))
    }
    let error = try #require(await failure { try await store.object(forKey: "a") })
    #expect(error.description.contains("does not match host name"), "\(error)")
  }

  /// OpenSSL decrypts a whole record. If libpq has no room for all of it, the rest waits there, and the socket shows
  /// nothing: PostgreSQL 15 sends no record as long, but proxies and poolers do.
  @Test("a result is complete although the rest of its last record did not fit into libpq's buffer")
  func longRecords() async throws {
    let certificates = try await Certificates.all.value
    let server = try await PostgresServer.shared.value
    let proxy = try await RecordProxy(to: server)
    let store = try server.store("records") {
      ($0.port, $0.connections) = (UInt16(proxy.port), 1)
      $0.tls = PostgresTLS(authorities: certificates.path("authority.pem"))
    }
    let values = ["a": noise(60_000), "b": noise(9_000)]
    for key in ["a", "b"] { try await store.setObject(#require(values[key]), forKey: key) }
    // Not repeated by the client, whose repetition would come with other records.
    #expect(try await store.entries(forKeys: ["a", "b"]).mapValues(\.object) == values)
    #expect(proxy.connections == 1)
  }

  @Test func nothingIsSentUnencrypted() async throws {
    let server = try await PostgresServer.shared.value
    let store = try server.store("encrypted") { $0.tls = PostgresTLS(authorities: "/nowhere.pem") }
    #expect(await failure { try await store.object(forKey: "a") } == .backendFailed)
    let certificates = try await Certificates.all.value
    let plain = try server.store("encrypted") {
      $0.tls = PostgresTLS(authorities: certificates.path("authority.pem"))
    }
    let error = try #require(await failure { try await plain.object(forKey: "a") })
    #expect(error.description.contains("SSL"), "\(error)")
  }
}
