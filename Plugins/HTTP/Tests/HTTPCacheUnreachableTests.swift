import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The cache's responses while the origin cannot be reached (RFC 9111, 4.2.4).
@Suite(.endsInTime)
struct HTTPCacheUnreachableTests {
  /// How an origin cannot be reached.
  enum Silence: CaseIterable { case refused, closed }

  private func web(_ silence: Silence, _ control: String, staleIfUnreachable: Double? = nil) async throws
    -> Web
  {
    let web = try Web(staleIfUnreachable: staleIfUnreachable) {
      $0.index == 0 ? .ok("0", ["Cache-Control": control, "ETag": "1"]) : .init(raw: "")
    }
    _ = try await web.get()
    if silence == .refused { web.stop() }
    return web
  }

  @Test(
    "a stale response is served for a day while the origin cannot be reached, unless a directive forbids it",
    arguments: Silence.allCases)
  func unreachable(silence: Silence) async throws {
    let web = try await web(silence, "max-age=60")
    defer { web.stop() }
    web.time.advance(by: 60 + 86_400)
    let response = try await web.get()
    #expect(response.text == "0" && response.status == 200)
    #expect(response["Cache-Status"] == "Strata; hit; detail=stale-if-error; ttl=-86400")
    #expect(response["Age"] == "86460")
    #expect(web.troubles.value.map(\.code) == [StorageError.backendFailed.code])
    web.time.advance(by: 1)
    #expect(await failure { _ = try await web.get() } == .backendFailed)
  }

  @Test(
    "if the request, the response or the configuration limits its age, the failure is thrown",
    arguments: Silence.allCases,
    [
      ("max-age=60, must-revalidate", "", nil), ("max-age=60, no-cache", "", nil), ("no-cache", "", nil),
      ("max-age=60, stale-if-error=0", "", nil), ("max-age=60, stale-if-error=1", "", nil),
      ("max-age=60", "no-cache", nil), ("max-age=60", "max-age=1000", nil),
      ("max-age=60", "min-fresh=1", nil),
      ("max-age=60", "max-stale=1", nil), ("max-age=60", "stale-if-error=1", nil), ("max-age=60", "", 0),
      ("max-age=60", "", 1),
    ] as [(String, String, Double?)])
  func unreachableAndForbidden(silence: Silence, _ rule: (String, String, Double?)) async throws {
    let web = try await web(silence, rule.0, staleIfUnreachable: rule.2)
    defer { web.stop() }
    web.time.advance(by: 62)
    #expect(await failure { _ = try await web.get("/", ["Cache-Control": rule.1]) } == .backendFailed)
    #expect(web.troubles.value.isEmpty)
  }

  @Test("a fresh response that must be validated or replaced is not served either")
  func unreachableWhileFresh() async throws {
    let web = try await web(.closed, "max-age=60")
    defer { web.stop() }
    web.time.advance(by: 1)
    #expect(await failure { _ = try await web.get("/", ["Cache-Control": "max-age=0"]) } == .backendFailed)
    for policy in [URLRequest.CachePolicy.reloadIgnoringLocalCacheData, .reloadRevalidatingCacheData] {
      #expect(await failure { _ = try await web.get(policy: policy) } == .backendFailed)
    }
    #expect(try await web.get().text == "0")
  }

  @Test(
    "a status such as 503 is an answer, and does not count as unreachable",
    arguments: [500, 502, 503, 504])
  func reachedAndFailing(status: Int) async throws {
    let web = try Web { $0.index == 0 ? .ok("0", ["Cache-Control": "max-age=60"]) : .status(status) }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 61)
    #expect(try await web.get().status == status)
  }

  /// An origin that answers once, and then fails.
  private struct Failing: ReadableStorage {
    let code: URLError.Code
    let hasAnswered = Shared(false)

    func retrieve(forKey key: Request) async throws -> Response {
      let isFirst = hasAnswered.change { hasAnswered in
        defer { hasAnswered = true }
        return !hasAnswered
      }
      guard isFirst else { throw StorageError.backendFailed.with(cause: URLError(code)) }
      let response = HTTPURLResponse(
        url: try #require(key.urlRequest.url), statusCode: 200, httpVersion: nil,
        headerFields: ["Cache-Control": "max-age=60"])
      return Response(httpUrlResponse: try #require(response), data: Data("0".utf8))
    }
  }

  @Test(
    "only failures without a response serve a stale one: a failed TLS handshake, say, does not",
    arguments: [
      (.notConnectedToInternet, true), (.cannotFindHost, true), (.dnsLookupFailed, true),
      (.cannotConnectToHost, true), (.networkConnectionLost, true), (.timedOut, true),
      (.secureConnectionFailed, false), (.serverCertificateUntrusted, false),
      (.serverCertificateHasBadDate, false), (.userAuthenticationRequired, false),
      (.httpTooManyRedirects, false), (.cannotDecodeContentData, false), (.cannotParseResponse, false),
      (.unsupportedURL, false), (.unknown, false),
    ] as [(URLError.Code, Bool)])
  func reasons(code: URLError.Code, standsIn: Bool) async throws {
    let time = ManualClock()
    let cache = Failing(code: code).cached(
      in: DictionaryStorage<String, Data>(clock: time.clock), config: HTTPCacheConfig(clock: time.clock))
    let page = Request.url(try #require(URL(string: "https://example.com/")))
    _ = try await cache.retrieve(forKey: page)
    time.advance(by: 61)
    if standsIn {
      #expect(try await cache.retrieve(forKey: page).text == "0")
    } else {
      #expect(await failure { _ = try await cache.retrieve(forKey: page) } == .backendFailed)
    }
  }

  @Test("a response that could be used only while the origin cannot be reached is not stored")
  func uselessResponses() async throws {
    let web = try Web { .ok("\($0.index)") }
    defer { web.stop() }
    _ = try await web.get()
    #expect(web.store.objects.isEmpty)
  }
}
