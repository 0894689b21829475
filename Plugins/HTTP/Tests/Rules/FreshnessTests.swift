import Foundation
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Rules of RFC 9111 as tables. Times are in seconds since the response arrived.
struct FreshnessTests {
  static let start = Date(timeIntervalSince1970: 1_000_000_000)

  static func stored(_ fields: [String: String], status: Int = 200, delay: Double = 0, body: String = "")
    -> StoredResponse
  {
    StoredResponse(
      status: status, fields: HeaderFields(fields), body: Data(body.utf8),
      requestTime: start.addingTimeInterval(-delay), responseTime: start, selection: Data())
  }

  @Test(
    "how long a response is fresh",
    arguments: [
      (["Cache-Control": "max-age=60"], 60),
      // `max-age` has priority over `Expires`; `s-maxage` is for shared caches.
      (["Cache-Control": "max-age=60", "Expires": httpDate(1000)], 60),
      (["Cache-Control": "s-maxage=60", "Expires": httpDate(1000)], 1000),
      (["Cache-Control": "max-age=60, max-age=10"], 10), (["Cache-Control": "max-age=x"], 0),
      // `Expires` counts from `Date`.
      (["Expires": httpDate(100)], 100), (["Expires": httpDate(100), "Date": httpDate(-50)], 150),
      (["Expires": httpDate(-100)], 0), (["Expires": "0"], 0),
      (["Expires": "\(httpDate(9)), \(httpDate(9))"], 0),
      // An invalid `Expires` prevents a heuristic lifetime.
      (["Expires": "0", "Last-Modified": httpDate(-1000)], 0),
      // Heuristic lifetime: a tenth of the time since the last change, up to a day.
      (["Last-Modified": httpDate(-1000)], 100),
      (["Last-Modified": httpDate(-1000), "Date": httpDate(-500)], 50),
      (["Last-Modified": httpDate(-100_000_000)], 86_400), (["Last-Modified": httpDate(1000)], 0), ([:], 0),
    ] as [([String: String], Double)])
  func lifetime(fields: [String: String], expected: Double) {
    #expect(Self.stored(fields).lifetime(guessingUpTo: 86_400) == expected)
  }

  @Test(
    "some statuses get a heuristic lifetime, others only if the response is public",
    arguments: [
      (200, true), (203, true), (204, true), (301, true), (308, true), (404, true), (410, true),
      (501, true), (201, false), (302, false), (307, false), (400, false), (403, false), (500, false),
      (503, false),
    ])
  func guess(status: Int, expected: Bool) {
    let fields = ["Last-Modified": httpDate(-1000)]
    #expect(Self.stored(fields, status: status).lifetime(guessingUpTo: 86_400) == (expected ? 100 : 0))
    let asPublic = fields.merging(["Cache-Control": "public"]) { $1 }
    #expect(Self.stored(asPublic, status: status).lifetime(guessingUpTo: 86_400) == 100)
  }

  @Test(
    "how old a response is",
    arguments: [
      // fields, seconds until the response arrived, seconds since then, age
      ([:], 0, 0, 0), ([:], 0, 10, 10), ([:], 5, 10, 15),
      (["Age": "100"], 0, 10, 110), (["Age": "100"], 5, 10, 115), (["Age": "x"], 0, 10, 10),
      (["Date": httpDate(-50)], 0, 10, 60), (["Date": httpDate(-50), "Age": "20"], 0, 10, 60),
      (["Date": httpDate(-50), "Age": "100"], 0, 10, 110),
      // Of several ages the first is used; an invalid age is ignored.
      (["Age": "7200, 0"], 0, 10, 7210), (["Age": "0, 7200"], 0, 10, 10), (["Age": " 5 ,x"], 0, 10, 15),
      (["Age": ", 7200"], 0, 10, 10), (["Age": "x, 7200"], 0, 10, 10), (["Age": "-1"], 0, 10, 10),
      (["Age": "1.5"], 0, 10, 10),
      // If the origin's clock is ahead, or this machine's was set back, no response gets younger.
      (["Date": httpDate(50)], 0, 10, 10), ([:], 0, -100, 0), ([:], -5, 10, 10),
    ] as [([String: String], Double, Double, Double)])
  func age(fields: [String: String], delay: Double, resident: Double, expected: Double) {
    let stored = Self.stored(fields, delay: delay)
    #expect(stored.age(at: Self.start.addingTimeInterval(resident)) == expected)
  }

  @Test(
    "how a stored response may be used",
    arguments: [
      // response, its age, request, use
      ("max-age=60", 0, "", .serve), ("max-age=60", 59, "", .serve), ("max-age=60", 60, "", .revalidate),
      ("max-age=0", 0, "", .revalidate), ("", 0, "", .revalidate),
      ("max-age=60, no-cache", 0, "", .revalidate), ("max-age=60, must-revalidate", 59, "", .serve),
      ("max-age=60", 0, "no-cache", .revalidate), ("max-age=60", 0, "no-store", .serve),
      ("max-age=60", 10, "max-age=10", .serve), ("max-age=60", 11, "max-age=10", .revalidate),
      ("max-age=60", 50, "min-fresh=10", .serve), ("max-age=60", 51, "min-fresh=10", .revalidate),
      // A stale response is served if the request accepts it, unless the response forbids it.
      ("max-age=60", 70, "max-stale", .serve), ("max-age=60", 70, "max-stale=10", .serve),
      ("max-age=60", 71, "max-stale=10", .revalidate), ("max-age=60", 60, "max-stale=0", .revalidate),
      ("max-age=60, must-revalidate", 61, "max-stale", .revalidate),
      ("no-cache", 0, "max-stale", .revalidate),
      ("max-age=60", 70, "max-stale, max-age=65", .revalidate),
      ("max-age=60", 70, "max-stale, min-fresh=1", .revalidate),
      // An immutable response is not validated on a reload, but it is for `no-cache`.
      ("max-age=60, immutable", 30, "max-age=0", .serve),
      ("max-age=60, immutable", 30, "no-cache", .revalidate),
      ("max-age=60, immutable", 60, "", .revalidate),
      // RFC 5861.
      ("max-age=60, stale-while-revalidate=30", 90, "", .serveAndRevalidate),
      ("max-age=60, stale-while-revalidate=30", 91, "", .revalidate),
      ("max-age=60, stale-while-revalidate=30, must-revalidate", 70, "", .revalidate),
      ("max-age=60, stale-while-revalidate=30", 70, "max-age=65", .revalidate),
      ("max-age=60, stale-while-revalidate=30", 70, "max-stale", .serve),
    ] as [(String, Double, String, Freshness.Use)])
  func use(response: String, age: Double, request: String, expected: Freshness.Use) {
    let freshness = Freshness(
      of: Self.stored(["Cache-Control": response]), at: Self.start.addingTimeInterval(age), guessingUpTo: 0)
    #expect(freshness.use(for: RequestDirectives(CacheControl(request))) == expected)
  }

  @Test("a request that ignores the stored response replaces it")
  func replace() {
    let fresh = Freshness(of: Self.stored(["Cache-Control": "max-age=60"]), at: Self.start, guessingUpTo: 0)
    #expect(
      fresh.use(for: RequestDirectives(CacheControl(nil), policy: .reloadIgnoringLocalCacheData)) == .replace)
  }

  @Test(
    "when a stale response may be served because the origin fails",
    arguments: [
      // response, its age, request, seconds allowed by default, whether it is used
      ("max-age=60", 60, "", 0, false), ("max-age=60", 160, "", 100, true),
      ("max-age=60", 161, "", 100, false),
      ("max-age=60, stale-if-error=10", 70, "", 0, true),
      ("max-age=60, stale-if-error=10", 71, "", 100, false),
      ("max-age=60, stale-if-error=0", 60, "", 100, false), ("max-age=60", 70, "stale-if-error=10", 0, true),
      ("max-age=60", 71, "stale-if-error=10", 100, false),
      ("max-age=60, stale-if-error=10", 71, "stale-if-error=100", 0, false),
      ("max-age=60, must-revalidate", 61, "", 100, false), ("max-age=60, no-cache", 61, "", 100, false),
      ("max-age=60", 61, "no-cache", 100, false), ("max-age=60", 30, "max-age=0", 100, true),
      ("max-age=60", 30, "max-age=0", 0, false),
    ] as [(String, Double, String, Double, Bool)])
  func standIn(response: String, age: Double, request: String, allowance: Double, expected: Bool) {
    let freshness = Freshness(
      of: Self.stored(["Cache-Control": response]), at: Self.start.addingTimeInterval(age), guessingUpTo: 0)
    #expect(
      freshness.mayStandIn(for: RequestDirectives(CacheControl(request)), allowance: allowance) == expected)
  }

  @Test(
    "which responses may be stored",
    arguments: [
      (200, "", "", true), (200, "no-store", "", false), (200, "max-age=60, no-store", "", false),
      (200, "max-age=60", "no-store", false), (200, "private, max-age=60", "", true),
      (200, "no-cache", "", true),
      (404, "", "", true), (206, "max-age=60", "", false), (304, "max-age=60", "", false),
      (302, "", "", false), (302, "max-age=60", "", true), (500, "", "", false),
      (503, "max-age=60", "", true),
      (403, "", "", false), (403, "public", "", true), (101, "max-age=60", "", false),
      // `no-store` with `must-understand` applies only to caches that do not implement the status.
      (200, "max-age=60, no-store, must-understand", "", true),
      (302, "max-age=60, no-store, must-understand", "", true),
      (599, "max-age=60, no-store, must-understand", "", false),
      (599, "max-age=60, must-understand", "", false),
      (599, "max-age=60", "", true), (200, "max-age=60, must-understand", "no-store", false),
    ])
  func storability(status: Int, response: String, request: String, expected: Bool) {
    let stored = Self.stored(["Cache-Control": response], status: status)
    #expect(stored.mayBeStored(for: RequestDirectives(CacheControl(request))) == expected)
  }

  @Test(
    "a response that can never be used is not worth storing",
    arguments: [
      ([:], 0, false), ([:], 60, true), (["ETag": "\"1\""], 0, true),
      (["Last-Modified": httpDate(100)], 0, true),
      (["Cache-Control": "max-age=60"], 0, true), (["Cache-Control": "max-age=0"], 0, false),
      (["Cache-Control": "max-age=0, stale-if-error=60"], 0, true),
      (["Cache-Control": "max-age=0, stale-if-error=0"], 60, false),
      (["Cache-Control": "max-age=0, stale-while-revalidate=60"], 0, true),
    ] as [([String: String], Double, Bool)])
  func worth(fields: [String: String], staleIfError: Double, expected: Bool) {
    let isWorth = Self.stored(fields).isWorthStoring(guessingUpTo: 0, staleIfError: staleIfError)
    #expect(isWorth == expected)
  }
}
