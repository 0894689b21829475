import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// Real servers that are killed, stopped, or called with wrong credentials.
@Suite(.serialized, .endsInTime) struct ServerFailureTests {
  @Test(arguments: S3ServerKind.quick)
  func aKilledServerIsAFailureAndItsDataComesBack(_ kind: S3ServerKind) async throws {
    let server = try await S3Server(kind)
    var config = server.config()
    config.attempts = 1
    let store = try S3Storage<String>(config: config, prefix: "p")
    try await store.setObject(Data("kept".utf8), forKey: "k")
    server.kill()
    for error in [
      await failure { _ = try await store.entryIfPresent(forKey: "k") },
      await failure { try await store.setObject(Data(), forKey: "k") },
      await failure { try await store.removeObject(forKey: "k") },
      await failure { _ = try await store.keys() },
    ] {
      #expect(error == .backendFailed)
    }
    try await server.restart()
    // moto keeps its objects in memory, and loses them when it is killed.
    if kind == .moto { return }
    #expect(try await store.object(forKey: "k") == Data("kept".utf8))
  }

  @Test(arguments: S3ServerKind.quick)
  func aStoppedServerIsATimeout(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    var config = server.config()
    config.attempts = 1
    config.timeout = .seconds(1)
    let store = try S3Storage<String>(config: config, prefix: "stopped")
    try await store.setObject(Data("kept".utf8), forKey: "k")
    let (read, written) = try await server.whileStopped {
      async let read = failure { _ = try await store.object(forKey: "k") }
      async let written = failure { try await store.setObject(Data("new".utf8), forKey: "k") }
      return await (read, written)
    }
    #expect(read == .backendFailed && (read?.cause as? S3ConnectionError)?.reason == .timedOut)
    #expect(
      written == .backendFailed && written?.message.contains("may or may not have been executed") == true)
    // The old and the new value are both correct: the server may execute the request after it continues.
    let value = try await S3Storage<String>(config: server.config(), prefix: "stopped").object(forKey: "k")
    #expect(["kept", "new"].contains(String(decoding: value, as: UTF8.self)))
  }

  /// A cancelled call ends at once, and its slot becomes free for other calls.
  @Test(arguments: S3ServerKind.quick)
  func aCancelledCallEnds(_ kind: S3ServerKind) async throws {
    let server = try await S3Server.shared(kind)
    var config = server.config()
    config.connections = 1
    let store = try S3Storage<String>(config: config, prefix: "cancelled")
    try await store.setObject(Data("v".utf8), forKey: "k")
    try await server.whileStopped {
      let calls = (0..<3).map { _ in Task { try await store.object(forKey: "k") } }
      for call in calls { call.cancel() }
      for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
    }
    #expect(try await store.object(forKey: "k") == Data("v".utf8))
  }

  @Test(.enabled(if: S3Tools.has(.seaweed)), arguments: [S3PayloadSigning.signed, .chunked, .unsigned])
  func everyWayToSignIsAccepted(_ signing: S3PayloadSigning) async throws {
    let server = try await S3Server.shared(.seaweed)
    let store = try S3Storage<String>(config: server.config(signing), prefix: "signing")
    let value = sampleBytes(200_000)
    try await store.setObject(value, forKey: "k")
    #expect(try await store.object(forKey: "k") == value)
    try await store.setObject(Data(), forKey: "k")
    #expect(try await store.object(forKey: "k").isEmpty)
    try await store.removeObjects(forKeys: ["k"])
    #expect(try await store.keys().isEmpty)
  }

  @Test(.enabled(if: S3Tools.has(.seaweed)))
  func wrongCredentialsAreNoMiss() async throws {
    let server = try await S3Server.shared(.seaweed)
    for credentials in [
      S3Credentials(accessKeyID: "AKIDSTRATA", secretAccessKey: "wrong"),
      S3Credentials(accessKeyID: "AKIDNOBODY", secretAccessKey: S3Server.credentials.secretAccessKey),
    ] {
      let store = try S3Storage<String>(config: server.config(credentials: credentials), prefix: "p")
      for error in [
        await failure { _ = try await store.entryIfPresent(forKey: "none") },
        await failure { _ = try await store.expiryIfPresent(forKey: "none") },
        await failure { try await store.setObject(Data(), forKey: "k") },
        await failure { _ = try await store.keys() },
      ] {
        #expect(error == .invalidConfiguration, "\(String(describing: error))")
        #expect(!"\(String(describing: error))".contains(S3Server.credentials.secretAccessKey))
      }
    }
  }

  @Test(arguments: S3ServerKind.installed)
  func aMissingBucketIsNoMiss(_ kind: S3ServerKind) async throws {
    var config = try await S3Server.shared(kind).config()
    config.bucket = "no-such-bucket"
    let store = try S3Storage<String>(config: config, prefix: "p")
    for error in [
      await failure { _ = try await store.expiryIfPresent(forKey: "k") },
      await failure { _ = try await store.entryIfPresent(forKey: "k") },
      await failure { try await store.setObject(Data(), forKey: "k") },
      await failure { _ = try await store.setIfAbsent(Data(), forKey: "k") },
      await failure { _ = try await store.keys() },
    ] {
      #expect(error == .invalidConfiguration, "\(String(describing: error))")
    }
  }

  /// The machine's clock is two hours behind: SeaweedFS refuses such requests.
  @Test(.enabled(if: S3Tools.has(.seaweed)))
  func aWrongClockIsCorrectedByTheServersDate() async throws {
    let server = try await S3Server.shared(.seaweed)
    let client = try S3Client(
      config: server.config(), now: { Date().addingTimeInterval(-7200) },
      sleep: { try await Task.sleep(for: $0) })
    let store = try S3Storage<String>(client: client, prefix: "clock")
    try await store.setObject(Data("v".utf8), forKey: "k")
    #expect(try await store.object(forKey: "k") == Data("v".utf8))
  }
}
