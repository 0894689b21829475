import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// Records the pauses of a client instead of waiting.
final class Pauses: Sendable {
  private let made = Locked<[Duration]>([])
  var all: [Duration] { made.withLock { $0 } }
  func add(_ pause: Duration) { made.withLock { $0.append(pause) } }
}

/// A server whose responses the test provides, and a client connected to it.
struct Scripted: Sendable {
  let server: LocalServer
  let client: S3Client
  let store: S3Storage<String>
  let pauses = Pauses()

  init(
    attempts: Int = 4, now: @escaping @Sendable () -> Date = { Date() },
    credentials: any S3CredentialsProvider = S3Server.credentials, multipartThreshold: Int = 1000,
    partSize: Int = 600,
    answer: @escaping @Sendable (LocalServer.Received) -> LocalServer.Answer
  ) throws {
    server = try LocalServer(answer: answer)
    let config = S3Config(
      bucket: "bucket", endpoint: try server.url(), credentials: credentials, timeout: .seconds(30),
      attempts: attempts, multipartThreshold: multipartThreshold, partSize: partSize)
    client = try S3Client(config: config, now: now, sleep: { [pauses] in pauses.add($0) })
    store = try S3Storage(client: client, prefix: "p")
  }

  /// The methods and targets of the requests so far.
  var received: [String] { server.received.map { "\($0.method) \($0.target)" } }

  func stop() { server.stop() }
}

extension LocalServer.Answer {
  /// Returns a response that contains an object.
  static func object(_ body: String, etag: String = "\"tag\"", _ fields: [String: String] = [:]) -> Self {
    .init(fields: [("ETag", etag)] + fields.map { ($0.key, $0.value) }, body: body)
  }

  /// Returns an error response in S3's format.
  static func refusal(_ status: Int, _ code: String, _ fields: [String: String] = [:]) -> Self {
    .init(
      status: status, fields: fields.map { ($0.key, $0.value) },
      body:
        "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>words</Message><RequestId>7</RequestId></Error>"
    )
  }

  /// Returns S3's answer to a request that begins or completes an upload in parts.
  static func multipart(_ request: LocalServer.Received) -> Self {
    request.target.contains("uploads")
      ? .init(body: "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
      : .init(body: "<CompleteMultipartUploadResult/>")
  }

  /// The answer to a write that was stored.
  static let stored = object("")
  /// The answer to a removal.
  static let removed = Self(status: 204)
  static let lost = Self(raw: "")
}

/// Returns bytes with a very long period, which are quick to generate.
func sampleBytes(_ count: Int) -> Data {
  var bytes = Data(capacity: count)
  let block = noise(65_537)
  while bytes.count < count { bytes.append(block.prefix(count - bytes.count)) }
  return bytes
}
