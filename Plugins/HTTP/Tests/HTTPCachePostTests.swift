import Dispatch
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The response to a `POST` as the answer to a later `GET`.
@Suite(.endsInTime)
struct HTTPCachePostTests {
  static let fresh = ["Cache-Control": "max-age=60", "Content-Location": "/item"]

  @Test("a response is stored if its Content-Location and lifetime allow it to answer a GET")
  func stored() async throws {
    let web = try Web { .ok("\($0.method) \($0.index)", Self.fresh) }
    defer { web.stop() }
    _ = try await web.get("/item")
    #expect(try await web.send("POST", "/item").text == "POST 1")
    #expect(try await web.get("/item").text == "POST 1")
    web.time.advance(by: 60)
    #expect(try await web.get("/item").text == "GET 2")
  }

  @Test(
    "is not stored otherwise",
    arguments: [
      ("POST", 200, ["Content-Location": "/other"]),
      ("POST", 200, ["Content-Location": "http://x.invalid/item"]),
      ("POST", 200, ["Cache-Control": "no-store, max-age=60"]), ("POST", 200, ["Vary": "*"]),
      ("POST", 200, ["Cache-Control": "public", "Last-Modified": httpDate(-1_000_000)]), ("POST", 201, [:]),
      ("PUT", 200, [:]), ("PATCH", 200, [:]), ("DELETE", 200, [:]),
    ])
  func unstored(method: String, status: Int, fields: [String: String]) async throws {
    let web = try Web {
      .status($0.method == "GET" ? 200 : status, "\($0.method)", Self.fresh.merging(fields) { $1 })
    }
    defer { web.stop() }
    _ = try await web.send(method, "/item")
    #expect(try await web.get("/item").text == "GET")
  }

  @Test("a stored response answers its own user, and users whose requests have equal fields named by Vary")
  func users() async throws {
    let web = try Web { .ok("\($0.method)", Self.fresh.merging(["Vary": "X-Kind"]) { $1 }) }
    defer { web.stop() }
    let fields = ["Authorization": "ann", "X-Kind": "a"]
    _ = try await web.cache.retrieve(forKey: request(web.server.url("/item"), "POST", fields))
    #expect(try await web.get("/item", ["Authorization": "bob", "X-Kind": "a"]).text == "GET")
    #expect(try await web.get("/item", ["Authorization": "ann", "X-Kind": "b"]).text == "GET")
    #expect(try await web.get("/item", fields).text == "POST")
  }

  @Test("a response is not stored if the URL was changed in the meantime")
  func overtaken() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.method == "POST" { hold.wait() }
      return .ok("\($0.method)", Self.fresh)
    }
    defer { web.stop() }
    let post = Task { try await web.send("POST", "/item") }
    await until { web.server.received.count == 1 }
    _ = try await web.send("PUT", "/item")
    hold.signal()
    _ = try await post.value
    #expect(try await web.get("/item").text == "GET")
    #expect(web.cache.engine.flights.count == 0)
  }

  @Test("a GET that begins after the change does not join one from before it", arguments: [false, true])
  func later(_ isStream: Bool) async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.index == 0 { hold.wait() }
      return .ok("\($0.method) \($0.index)", ["Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    let get: @Sendable () async throws -> String = {
      guard isStream else { return try await web.get("/item").text }
      let response = try await web.cache.stream(request(web.server.url("/item"), "GET"))
      return String(decoding: try await response.body.data(), as: UTF8.self)
    }
    let early = Task { try await get() }
    await until { web.server.received.count == 1 }
    _ = try await web.send("POST", "/item")
    let late = Task { try await get() }
    // Joined, or answered by a request of its own.
    let engine = web.cache.engine
    await until { engine.streams.waiting + engine.flights.waiting == 2 || web.server.received.count == 3 }
    hold.signal()
    #expect(try await early.value == "GET 0")
    #expect(try await late.value == "GET 2")
    #expect(try await get() == "GET 2")
  }
}
