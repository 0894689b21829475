import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

@Suite(.endsInTime)
struct HTTPCacheRevalidationTests {
  @Test(
    "a stale response is validated by its validators, and a 304 makes it fresh again",
    arguments: [
      (["ETag": "\"v1\""], "if-none-match", "\"v1\""), (["ETag": "W/\"v1\""], "if-none-match", "W/\"v1\""),
      (["Last-Modified": httpDate(-1000)], "if-modified-since", httpDate(-1000)),
    ])
  func confirmed(validator: [String: String], field: String, value: String) async throws {
    let web = try Web {
      $0.fields[field] == value
        ? .status(304, "", ["Cache-Control": "max-age=100", "X-New": "\($0.index)"])
        : .ok("body", validator.merging(["Cache-Control": "max-age=60"]) { $1 })
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    let response = try await web.get()
    #expect(response.text == "body" && response.status == 200)
    #expect(response["X-New"] == "1" && response["Age"] == "0")
    #expect(response["Cache-Status"] == "Strata; fwd=stale; fwd-status=304; ttl=100")
    web.time.advance(by: 99)
    #expect(try await web.get()["X-New"] == "1")
    #expect(web.server.received.count == 2)
  }

  @Test("a new response instead of a 304 replaces the old one")
  func replaced() async throws {
    let web = try Web { .ok("\($0.index)", ["ETag": "\"\($0.index)\"", "Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    #expect(try await web.get().text == "1")
    #expect(try await web.get().text == "1")
    #expect(web.server.received.map { $0.fields["if-none-match"] } == [nil, "\"0\""])
  }

  @Test("a response with no-cache is validated while it is fresh", arguments: [true, false])
  func noCache(byRequest: Bool) async throws {
    let web = try Web {
      $0.fields["if-none-match"] == nil
        ? .ok("body", ["ETag": "1", "Cache-Control": byRequest ? "max-age=60" : "max-age=60, no-cache"])
        : .status(304)
    }
    defer { web.stop() }
    for _ in 0..<3 {
      let response = try await web.get("/", byRequest ? ["Cache-Control": "no-cache"] : [:])
      #expect(response.text == "body")
    }
    #expect(web.server.received.count == 3)
  }

  @Test(
    "a new response that may not be stored, or a 404, removes the old one",
    arguments: [200, 404, 403])
  func gone(status: Int) async throws {
    let web = try Web {
      $0.index == 0
        ? .ok("old", ["ETag": "1", "Cache-Control": "max-age=60"])
        : .status(status, "new", ["Cache-Control": "no-store"])
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    #expect(try await web.get().text == "new")
    #expect(web.store.objects.isEmpty)
  }

  @Test("a 304 may change which requests the response answers")
  func newVary() async throws {
    let web = try Web {
      $0.fields["if-none-match"] == nil
        ? .ok("\($0.index)", ["ETag": "1", "Cache-Control": "max-age=60"])
        : .status(304, "", ["Vary": "X-Kind"])
    }
    defer { web.stop() }
    _ = try await web.get("/", ["X-Kind": "a"])
    web.time.advance(by: 60)
    for _ in 0..<2 { #expect(try await web.get("/", ["X-Kind": "a"]).text == "0") }
    #expect(web.server.received.count == 2)
    #expect(try await web.get("/", ["X-Kind": "b"]).text == "2")
  }

  @Test(
    "a 304 may forbid storing the response any longer",
    arguments: [["Cache-Control": "no-store"], ["Vary": "*"]])
  func noLongerStorable(fields: [String: String]) async throws {
    let web = try Web {
      $0.fields["if-none-match"] == nil
        ? .ok("\($0.index)", ["ETag": "1", "Cache-Control": "max-age=60"]) : .status(304, "", fields)
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    #expect(try await web.get().text == "0")
    #expect(web.store.objects.isEmpty)
  }

  @Test("a 304 with another validator than the stored response validates nothing")
  func otherTag() async throws {
    let web = try Web {
      if $0.fields["if-none-match"] != nil { return .status(304, "", ["ETag": "\"other\""]) }
      return .ok("\($0.index)", ["ETag": "\"\($0.index)\"", "Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    #expect(try await web.get().text == "2")
  }

  @Test("a 304 after a redirection validates nothing")
  func redirected304() async throws {
    let web = try Web {
      switch ($0.target, $0.index) {
      case ("/", 0): .ok("old", ["ETag": "1", "Cache-Control": "max-age=60"])
      case ("/", _): .status(302, "", ["Location": "/new"])
      default: $0.fields["if-none-match"] == nil ? .ok("new") : .status(304)
      }
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    #expect(try await web.get().text == "new")
  }

  @Test("a response is validated only for requests that it answers")
  func otherVariant() async throws {
    let web = try Web { .ok("\($0.index)", ["ETag": "1", "Cache-Control": "no-cache", "Vary": "X-Kind"]) }
    defer { web.stop() }
    _ = try await web.get("/", ["X-Kind": "a"])
    _ = try await web.get("/", ["X-Kind": "b"])
    #expect(web.server.received.last?.fields["if-none-match"] == nil)
  }

  @Test("stale-while-revalidate: serves the stale response at once, and a fresh one to the next request")
  func staleWhileRevalidate() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60, stale-while-revalidate=30"]) }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 70)
    let stale = try await web.get()
    #expect(stale.text == "0" && stale["Cache-Status"] == "Strata; hit; ttl=-10")
    let key = try web.key()
    await until {
      (try? CacheRecord.transformer.fromData(web.store.objects[key] ?? Data()))?.variants.first?.body
        == Data("1".utf8)
    }
    #expect(try await web.get().text == "1")
    #expect(web.server.received.count == 2)
  }

  @Test("stale-while-revalidate: a failed validation is reported, and the stored response remains")
  func failedInBackground() async throws {
    let web = try Web {
      $0.index == 0 ? .ok("0", ["Cache-Control": "max-age=60, stale-while-revalidate=30"]) : .init(raw: "")
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 70)
    #expect(try await web.get().text == "0")
    await until { web.troubles.value.count == 1 }
    #expect(try await web.get().text == "0")
  }
}
