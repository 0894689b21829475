import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// Responses that are longer than a client accepts. The server never ends them, so that a client that waits for the
/// end, or reads on, fails with a timeout instead of the expected error.
@Suite(.endsInTime) struct AnswerLimitTests {
  /// A server that ignores `Range`, and a store whose values may have 1 000 bytes.
  private func scripted(
    _ answer: LocalServer.Answer
  ) throws -> (server: LocalServer, store: S3Storage<String>) {
    let server = try LocalServer { _ in answer }
    let config = S3Config(
      bucket: "bucket", endpoint: try server.url(), credentials: S3Server.credentials, timeout: .seconds(10),
      attempts: 1, maximumValueSize: 1000)
    return (server, try S3Storage(config: config, prefix: "p"))
  }

  @Test(
    "a value that is too large ends the request", arguments: [nil, 4 << 30],
    ["k", String(repeating: "k", count: 300)])
  func value(claimedLength: Int?, key: String) async throws {
    // If the length is stated, the request ends before the body.
    let body = [UInt8](repeating: 0x61, count: claimedLength == nil ? 2000 : 0)
    let (server, store) = try scripted(
      .init(fields: [("ETag", "\"t\"")], bytes: body, claimedLength: claimedLength, staysOpen: true))
    defer { server.stop() }
    let error = await failure { _ = try await store.entryIfPresent(forKey: key) }
    #expect(error == .tooLarge && error?.message.contains("maximumValueSize, 1000") == true)
    #expect(error?.key as? String == key)
    await until { server.hangUps == 1 }
  }

  @Test("a list that is too long ends the request", arguments: [nil, 4 << 30])
  func list(claimedLength: Int?) async throws {
    let body = [UInt8](repeating: 0x20, count: claimedLength == nil ? 17 << 20 : 0)
    let (server, store) = try scripted(.init(bytes: body, claimedLength: claimedLength, staysOpen: true))
    defer { server.stop() }
    let error = await failure { _ = try await store.keys() }
    #expect(error == .backendFailed && error?.message.contains("16777216 bytes") == true)
    await until { server.hangUps == 1 }
  }

  @Test("the body of an error that is too long is not read", arguments: [nil, 4 << 30])
  func refusal(claimedLength: Int?) async throws {
    let body = [UInt8](repeating: 0x20, count: claimedLength == nil ? 2 << 20 : 0)
    let (server, store) = try scripted(
      .init(status: 403, bytes: body, claimedLength: claimedLength, staysOpen: true))
    defer { server.stop() }
    let error = await failure { _ = try await store.entryIfPresent(forKey: "k") }
    #expect(error == .invalidConfiguration && (error?.cause as? S3Error)?.status == 403)
    await until { server.hangUps == 1 }
  }

  @Test("an export from a server that ignores ranges ends at the first part")
  func export() async throws {
    let (server, store) = try scripted(
      .init(fields: [("ETag", "\"t\"")], claimedLength: 4 << 30, staysOpen: true))
    defer { server.stop() }
    let copy = TemporaryFolder().url.appending(path: "copy")
    let error = await failure { try await store.exportObject(forKey: "k", to: copy) }
    #expect(error == .backendFailed && error?.message.contains("a range of 1048576") == true)
    await until { server.hangUps == 1 }
  }
}
