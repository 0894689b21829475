import Foundation
import Testing

@testable import StrataCommand

/// Tests the addresses of servers, encryption, and requests that servers refuse.
@Suite struct ServerTests {
  @Test func aServerIsReachedByAPortAndEncrypted() async throws {
    try await inFolder { strata in
      let server = try TestServer.redis.get()
      let port = try #require(Int(server.note))
      let name = UUID().uuidString
      let plain = "redis://127.0.0.1:\(port)/3?namespace=\(name)"
      #expect(try strata("put", plain, "a", input: "1").status == 0)
      let encrypted = "rediss://localhost:\(port + 1)/3?namespace=\(name)&ca=\(server.folder)/ca.pem"
      let read = try strata("get", encrypted, "a")
      #expect(read.output == "1", "\(read.errors)")
      // Without `ca`, the certificate is not trusted. The client tries again until the timeout.
      let untrusted = "rediss://localhost:\(port + 1)/3?namespace=\(name)"
      let refused = try strata("get", untrusted, "a", "--timeout", "500ms")
      #expect(refused.status != 0 && refused.output == "", "\(refused)")
      #expect(try strata("ls", "redis://127.0.0.1:\(port)/4?namespace=\(name)").output == "")
    }
  }

  @Test(arguments: [
    "redis://127.0.0.1:PORT/0?namespace=n", "postgres://127.0.0.1:PORT/db?table=t",
    "unix:///nowhere/redis.sock?namespace=n", "postgres:///db?host=/nowhere&table=t",
  ]) func anAddressWithoutAServerIsAnErrorAtOnce(_ address: String) async throws {
    try await inFolder { strata in
      let closed = try TestSocket()
      let store = address.replacing("PORT", with: "\(closed.port)")
      let start = ContinuousClock.now
      // With the client's own timeout the command would wait for the server for ten minutes.
      let result = try strata("ls", store, "--timeout", "10m")
      #expect(ContinuousClock.now - start < .seconds(15))
      #expect(result.status == 1 && result.errors.contains("no server listens at"), "\(result.errors)")
      #expect(result.errors.contains("start the server, or correct the address"))
      #expect(!result.errors.contains("\\t"))
    }
  }

  @Test func refusalsNameTheOptionsOfTheCommand() async throws {
    try await inFolder { strata in
      var strata = strata
      strata.environment["STRATA_PASSWORD"] = "wrong"
      let redis = try Backend.redis.address("store", in: strata)
      for store in [redis + "&user=nobody", try Backend.postgres.address("refused", in: strata)] {
        let result = try strata("ls", store)
        #expect(result.status == 6 && result.errors.contains("--password-file"), "\(result.errors)")
        #expect(!result.errors.contains("`"), "\(result.errors)")
      }
    }
  }

  @Test func readingCreatesNoTable() async throws {
    try await inFolder { strata in
      let strata = Backend.postgres.prepared(strata)
      let store = try Backend.postgres.address("missing", in: strata)
      for words in [
        ["ls", store], ["get", store, "k"], ["info", store], ["verify", store], ["dump", store],
      ] {
        let result = try strata.run(words)
        #expect(result.status == 3, "\(words) \(result.errors)")
      }
      #expect(try strata("put", "disk:s", "a", input: "1").status == 0)
      let copied = try strata("copy", "disk:s", store, "--dry-run")
      #expect(copied.output.hasPrefix("would copy 1 entry"), "\(copied.errors)")
      #expect(try strata("ls", store).status == 3)
    }
  }

  @Test func aWrongPasswordIsRefused() async throws {
    try await inFolder { strata in
      var strata = strata
      let store = try Backend.postgres.address("refused", in: strata)
      strata.environment["STRATA_PASSWORD"] = "an open sesame"
      let refused = try strata("ls", store)
      #expect(refused.status == 6, "\(refused.errors)")
      #expect(!refused.errors.contains("sesame"))
      try Data("strata\n".utf8).write(to: strata.place.appending(path: "password"))
      let read = try strata("put", store, "a", "--password-file", "password", input: "1")
      #expect(read.status == 0, "\(read.errors)")
    }
  }

  @Test(.enabled(if: Backend.installed.contains(.s3))) func aMissingBucketIsNotFound() async throws {
    try await inFolder { strata in
      let strata = Backend.s3.prepared(strata)
      let endpoint = "http://127.0.0.1:\(try TestServer.s3.get().note)"
      for words in [["ls"], ["put", "k"]] {
        let result = try strata.run([words[0], "s3://nobody?endpoint=\(endpoint)"] + words.dropFirst())
        #expect(result.status == 3, "\(result.errors)")
      }
    }
  }
}
