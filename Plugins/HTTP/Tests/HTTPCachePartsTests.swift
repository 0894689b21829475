import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

/// Requests for a part of a response that is stored as a whole.
@Suite(.endsInTime)
struct HTTPCachePartsTests {
  private func web(_ fields: [String: String] = [:]) throws -> Web {
    try Web {
      let range = $0.fields["range"].map { "origin \($0)" }
      return .ok(
        range ?? "0123456789", ["Cache-Control": "max-age=60", "X-Test": "yes"].merging(fields) { $1 })
    }
  }

  @Test(
    "one range is cut out of the stored response",
    arguments: [
      ("bytes=0-1", "01", "bytes 0-1/10"), ("bytes=1-", "123456789", "bytes 1-9/10"),
      ("bytes=-1", "9", "bytes 9-9/10"), ("Bytes=9-100", "9", "bytes 9-9/10"),
      ("bytes=-100", "0123456789", "bytes 0-9/10"), ("bytes=4-4", "4", "bytes 4-4/10"),
    ])
  func part(range: String, text: String, contentRange: String) async throws {
    let web = try web()
    defer { web.stop() }
    _ = try await web.get()
    let part = try await web.get("/", ["Range": range])
    #expect(part.text == text && part.status == 206 && part["X-Test"] == "yes")
    #expect(part["Content-Range"] == contentRange && part["Content-Length"] == "\(text.count)")
    #expect(part["Cache-Status"]?.hasPrefix("Strata; hit") == true)
    let whole = try await web.get()
    #expect(whole.text == "0123456789" && whole.status == 200 && whole["Content-Range"] == nil)
    #expect(web.server.received.count == 1)
  }

  @Test(
    "a range that only the origin can answer is requested from it",
    arguments: [
      ["Range": "bytes=10-"], ["Range": "bytes=-0"], ["Range": "bytes=0-1, 3-4"], ["Range": "lines=0-1"],
      ["Range": "bytes=2-1"], ["Range": "bytes=a-b"], ["Range": "bytes"], ["Range": "bytes=-"],
      ["Range": "bytes=99999999999999999999-"], ["Range": "bytes=0-9223372036854775807"],
      ["Range": "bytes=0-1", "If-Range": "x"], ["Range": "bytes=0-1", "Cache-Control": "no-cache"],
    ])
  func passing(fields: [String: String]) async throws {
    let web = try web()
    defer { web.stop() }
    _ = try await web.get()
    #expect(try await web.get("/", fields).text.hasPrefix("origin"))
    #expect(web.server.received.last?.fields["range"] == fields["Range"])
    #expect(try await web.get().text == "0123456789")
  }

  @Test("no range is cut out of a body that was decoded, since ranges count the bytes as sent")
  func decoded() throws {
    let range = try #require(ByteRange("bytes=0-1"))
    let encoded = FreshnessTests.stored(["Content-Encoding": "gzip"], body: "0123")
    #expect(encoded.part(range) == nil)
    #expect(FreshnessTests.stored(["Content-Encoding": "Identity"], body: "0123").part(range) != nil)
    #expect(FreshnessTests.stored(["Content-Length": "3"], body: "0123").part(range) == nil)
    #expect(FreshnessTests.stored([:], status: 404, body: "0123").part(range) == nil)
  }

  @Test("a range of a response that is absent or stale is requested, and not stored as the whole response")
  func unstored() async throws {
    let web = try web()
    defer { web.stop() }
    let range = ["Range": "bytes=0-1"]
    #expect(try await web.get("/", range).text == "origin bytes=0-1")
    #expect(web.store.objects.isEmpty)
    #expect(try await web.get().text == "0123456789")
    web.time.advance(by: 60)
    #expect(try await web.get("/", range).text == "origin bytes=0-1")
    let missing = range.merging(["Cache-Control": "only-if-cached"]) { $1 }
    #expect(await failure { _ = try await web.get("/", missing) } == .notFound)
  }

  @Test("a range is cut only out of a variant that answers the request")
  func variants() async throws {
    let web = try web(["Vary": "X-Kind"])
    defer { web.stop() }
    _ = try await web.get("/", ["X-Kind": "a"])
    #expect(try await web.get("/", ["X-Kind": "a", "Range": "bytes=0-1"]).text == "01")
    #expect(try await web.get("/", ["X-Kind": "b", "Range": "bytes=0-1"]).text == "origin bytes=0-1")
  }
}
