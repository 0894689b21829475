import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataS3

/// Failures that the client retries, and failures that it reports.
@Suite(.endsInTime) struct RetryTests {
  @Test(arguments: [
    (500, "InternalError"), (502, ""), (503, "SlowDown"), (503, "ServiceUnavailable"), (504, ""), (429, ""),
  ])
  func readsAreRepeated(_ status: Int, _ code: String) async throws {
    let scripted = try Scripted { $0.index < 2 ? .refusal(status, code) : .object("value") }
    defer { scripted.stop() }
    #expect(try await scripted.store.object(forKey: "k") == Data("value".utf8))
    #expect(scripted.received == Array(repeating: "GET /bucket/p/k", count: 3))
    #expect(scripted.pauses.all.count == 2 && scripted.pauses.all.allSatisfy { $0 > .milliseconds(40) })
  }

  @Test func readsAreRepeatedAfterALostConnection() async throws {
    let scripted = try Scripted { $0.index == 0 ? .lost : .object("value") }
    defer { scripted.stop() }
    #expect(try await scripted.store.object(forKey: "k") == Data("value".utf8))
    #expect(scripted.received.count == 2)
  }

  /// After a connection that ends in the middle of a body, the body is requested again: a shorter value is never
  /// returned.
  @Test func aCutBodyIsReadAgain() async throws {
    let scripted = try Scripted { request in
      request.index < 2
        ? .init(fields: [("ETag", "\"t\"")], body: "val", claimedLength: 5) : .object("value")
    }
    defer { scripted.stop() }
    #expect(try await scripted.store.object(forKey: "k") == Data("value".utf8))
    #expect(scripted.received.count == 3)
  }

  @Test func requestsFailAfterTheMaximumNumberOfAttempts() async throws {
    let scripted = try Scripted(attempts: 3) { _ in .refusal(503, "SlowDown") }
    defer { scripted.stop() }
    let error = await failure { _ = try await scripted.store.object(forKey: "k") }
    #expect(error == .backendFailed && scripted.received.count == 3)
    #expect((error?.cause as? S3Error)?.code == "SlowDown")
    #expect(error?.key as? String == "k" && error?.place?.hasSuffix("/bucket/p/k") == true)
  }

  /// After a lost connection the server may still execute the first copy of a write, later than other writes. A second
  /// copy must not be sent.
  @Test func writesAreNotRepeatedAfterALostConnection() async throws {
    let scripted = try Scripted { _ in .lost }
    defer { scripted.stop() }
    let stored = await failure { try await scripted.store.setObject(Data("v".utf8), forKey: "k") }
    #expect(stored == .backendFailed && stored?.message.contains("may or may not have been executed") == true)
    let removed = await failure { try await scripted.store.removeObject(forKey: "k") }
    #expect(removed == .backendFailed)
    #expect(scripted.received == ["PUT /bucket/p/k", "DELETE /bucket/p/k"])
  }

  @Test(arguments: [500, 503])
  func writesAreRepeatedAfterAnAnswer(_ status: Int) async throws {
    let scripted = try Scripted {
      $0.index == 0 ? .refusal(status, "") : $0.method == "PUT" ? .stored : .removed
    }
    defer { scripted.stop() }
    try await scripted.store.setObject(Data("v".utf8), forKey: "k")
    try await scripted.store.removeObject(forKey: "k")
    #expect(scripted.received.map { $0.prefix(3) } == ["PUT", "PUT", "DEL"])
  }

  /// After a 500, the condition of a second copy may fail because the first one was executed. After a 503, the server
  /// has not executed the first.
  @Test func conditionalWritesAreRepeatedOnlyIfTheyWereRefused() async throws {
    let refused = try Scripted { request in
      switch request.index {
      // The request that tests whether the server evaluates conditions.
      case 0: .refusal(412, "PreconditionFailed")
      case 1: .refusal(503, "SlowDown")
      default: .stored
      }
    }
    defer { refused.stop() }
    #expect(try await refused.store.setIfAbsent(Data("v".utf8), forKey: "k"))
    #expect(refused.server.received.last?.fields["if-none-match"] == "*" && refused.received.count == 3)

    let unknown = try Scripted { $0.index == 0 ? .refusal(412, "") : .refusal(500, "InternalError") }
    defer { unknown.stop() }
    let error = await failure { _ = try await unknown.store.setIfAbsent(Data("v".utf8), forKey: "k") }
    #expect(error == .backendFailed && unknown.received.count == 2)
  }

  @Test(arguments: ["7", "Sun, 06 Nov 1994 08:49:44 GMT"])
  func waitsAsLongAsTheServerDemands(_ time: String) async throws {
    let fields = ["Retry-After": time, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
    let scripted = try Scripted { $0.index == 0 ? .refusal(503, "", fields) : .object("value") }
    defer { scripted.stop() }
    _ = try await scripted.store.object(forKey: "k")
    #expect(scripted.pauses.all == [.seconds(7)])
  }

  @Test func pausesGrowUpToALimit() {
    var delay = RetryDelay()
    var random = SeededGenerator(seed: Soak.seed)
    let pauses = (0..<12).map { _ in delay.next(using: &random) }
    for (number, pause) in pauses.enumerated() {
      let whole = Duration.seconds(min(0.1 * Double(1 << number), 20))
      #expect(pause >= whole / 2 && pause <= whole)
    }
    #expect(delay.next(demanded: .seconds(1000), using: &random) == .seconds(20))
  }

  /// If the server cannot be reached, nothing was sent, so that even writes may be sent again.
  @Test func unreachableServersAreTriedAgain() async throws {
    let scripted = try Scripted(attempts: 3) { _ in .init() }
    scripted.stop()
    let error = await failure { try await scripted.store.setObject(Data(), forKey: "k") }
    #expect(error == .backendFailed && error?.message.contains("nothing was sent") == true)
    #expect(scripted.pauses.all.count == 2)
  }

  /// Redirections are neither followed nor returned as values: a signature is valid for one server only.
  @Test(arguments: [301, 302, 307])
  func redirectionsAreNotFollowed(_ status: Int) async throws {
    let other = try LocalServer { _ in .object("of another server") }
    defer { other.stop() }
    let place = try other.url("/bucket/p/k").absoluteString
    let scripted = try Scripted { _ in .refusal(status, "PermanentRedirect", ["Location": place]) }
    defer { scripted.stop() }
    let error = await failure { _ = try await scripted.store.object(forKey: "k") }
    #expect(error == .invalidConfiguration && error?.message.contains("another region") == true)
    #expect(other.received.isEmpty)
  }

  @Test(arguments: [
    (404, "NoSuchBucket", StorageError.invalidConfiguration), (403, "AccessDenied", .invalidConfiguration),
    (403, "SignatureDoesNotMatch", .invalidConfiguration), (507, "XMinioStorageFull", .backendFailed),
    (400, "EntityTooLarge", .tooLarge), (501, "NotImplemented", .invalidConfiguration),
    (200, "SlowDown", .backendFailed),
  ])
  func refusalsSayWhy(_ status: Int, _ code: String, _ expected: StorageError) async throws {
    let scripted = try Scripted(attempts: 1) { _ in .refusal(status, code) }
    defer { scripted.stop() }
    // S3 may report a failed list with status 200.
    let error = await failure { _ = try await scripted.store.keys() }
    #expect(error == expected, "\(String(describing: error))")
    #expect((error?.cause as? S3Error)?.description == "HTTP \(status) \(code): words (request 7)")
  }

  @Test func anAbsentBucketThrowsUnlikeAnAbsentObject() async throws {
    let scripted = try Scripted { request in
      request.target.hasSuffix("/none") ? .refusal(404, "NoSuchKey") : .init(status: 404)
    }
    defer { scripted.stop() }
    // A 404 without a body may mean the object or the bucket, so that the client requests the bucket.
    let error = await failure { _ = try await scripted.store.expiryIfPresent(forKey: "head") }
    #expect(error == .backendFailed || error == .invalidConfiguration)
    #expect(try await scripted.store.entryIfPresent(forKey: "none") == nil)
    #expect(try await scripted.store.expiryIfPresent(forKey: "none") == nil)
  }

  /// If a server ignored conditions, concurrent updates would overwrite each other.
  @Test func serversWithoutConditionsAreRefused() async throws {
    let scripted = try Scripted {
      $0.method == "GET" ? .object("1") : $0.method == "PUT" ? .stored : .removed
    }
    defer { scripted.stop() }
    let update = await failure { try await scripted.store.update(forKey: "k") { $0 = Data("2".utf8) } }
    #expect(update == .invalidConfiguration && update?.message.contains("If-Match") == true)
    let absent = await failure { _ = try await scripted.store.setIfAbsent(Data(), forKey: "k") }
    #expect(absent == .invalidConfiguration)
    #expect(!scripted.received.contains { $0 == "PUT /bucket/p/k" })
  }

  /// The client requests one byte more than the limit, so that no server can send it a value of any size.
  @Test func valuesOfTooManyBytesAreRefused() async throws {
    let scripted = try Scripted { .object($0.fields["range"] == "bytes=0-5" ? "123456" : "no range") }
    defer { scripted.stop() }
    var config = scripted.client.config
    config.maximumValueSize = 5
    let store = try S3Storage<String>(config: config, prefix: "p")
    await #expect(throws: StorageError.tooLarge) { try await store.object(forKey: "k") }
    await #expect(throws: StorageError.tooLarge) { try await store.setObject(Data(count: 6), forKey: "k") }
    #expect(scripted.received == ["GET /bucket/p/k"])
  }

  // MARK: Clocks

  /// The machine's clock is an hour behind. One response's date corrects it for all further requests.
  @Test(arguments: [true, false])
  func aWrongClockIsCorrected(_ hasBody: Bool) async throws {
    let real = Date(timeIntervalSince1970: 784_111_777)
    let scripted = try Scripted(now: { real.addingTimeInterval(-3600) }) { request in
      let fields = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
      if request.fields["x-amz-date"] == SigningDate(real).second { return .object("value") }
      return hasBody
        ? .refusal(403, "RequestTimeTooSkewed", fields)
        : .init(status: 403, fields: [("Date", fields["Date"] ?? "")])
    }
    defer { scripted.stop() }
    _ = try await scripted.store.object(forKey: "k")
    _ = try await scripted.store.object(forKey: "k")
    #expect(scripted.received.count == 3)
  }

  @Test func aClockThatCannotBeCorrectedIsReported() async throws {
    let scripted = try Scripted { _ in
      .refusal(403, "RequestTimeTooSkewed", ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    }
    defer { scripted.stop() }
    let error = await failure { _ = try await scripted.store.object(forKey: "k") }
    #expect(error == .invalidConfiguration && error?.message.contains("clock") == true)
    #expect(scripted.received.count == 2)
  }
}
