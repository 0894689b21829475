import Foundation
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct CacheControlTests {
  @Test(
    "the seconds of a directive are parsed",
    arguments: [
      ("max-age=60", 60), ("MAX-AGE=60", 60), (" public ,max-age=60,x", 60), ("max-age=\"60\"", 60),
      // Of several numbers the smallest is used; an invalid number is 0, and a too large number is 2^31.
      ("max-age=60, max-age=30", 30), ("max-age=-1", 0), ("max-age=soon", 0), ("max-age=1.5", 0),
      ("max-age=", 0), ("max-age", 0), ("max-age=99999999999999999999", 2_147_483_648),
      ("no-cache", nil), ("", nil), ("x-max-age=60", nil), ("no-cache=\"a, max-age=60\"", nil),
      ("x=\"a\\\", max-age=1\", max-age=2", 2),
    ] as [(String, Double?)])
  func seconds(field: String, expected: Double?) {
    #expect(CacheControl(field).seconds("max-age") == expected)
  }

  @Test("a directive is found with and without an argument, in any case of letters")
  func presence() {
    let control = CacheControl("No-Cache=\"Set-Cookie\", must-revalidate")
    #expect(control.has("no-cache"))
    #expect(control.has("must-revalidate"))
    #expect(!control.has("no-store"))
    #expect(!CacheControl(nil).has("no-cache"))
  }

  @Test("the directives of a request are parsed")
  func request() {
    let all = RequestDirectives(CacheControl("no-cache, no-store, only-if-cached"))
    #expect(all.noCache && all.noStore && all.onlyIfCached && !all.ignoresStored)
    let none = RequestDirectives(CacheControl("max-age=0"))
    #expect(!none.noCache && !none.noStore && !none.onlyIfCached)
  }

  @Test("the seconds in a request's directives are parsed")
  func requestSeconds() {
    let some = RequestDirectives(CacheControl("max-age=1, max-stale=2, min-fresh=3, stale-if-error=4"))
    #expect(some.maxAge == 1 && some.maxStale == 2 && some.minFresh == 3 && some.staleIfError == 4)
    let none = RequestDirectives(CacheControl(nil))
    #expect(none.maxAge == .infinity && none.maxStale == 0 && none.minFresh == 0 && none.staleIfError == nil)
    #expect(RequestDirectives(CacheControl("max-stale")).maxStale == .infinity)
  }

  @Test("the cache policy of a request is equivalent to directives")
  func policy() {
    func directives(_ policy: URLRequest.CachePolicy) -> RequestDirectives {
      RequestDirectives(CacheControl(nil), policy: policy)
    }
    #expect(directives(.useProtocolCachePolicy) == RequestDirectives(CacheControl(nil)))
    #expect(directives(.reloadIgnoringLocalCacheData).ignoresStored)
    #expect(directives(.reloadIgnoringLocalAndRemoteCacheData).ignoresStored)
    #expect(directives(.reloadRevalidatingCacheData).noCache)
    #expect(directives(.returnCacheDataElseLoad).maxStale == .infinity)
    #expect(directives(.returnCacheDataDontLoad).onlyIfCached)
  }
}
