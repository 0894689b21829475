import Foundation
import Strata
import Testing
import Vapor

@testable import StrataVapor

private struct User: Content, Equatable {
  var name: String
}

/// What Vapor's own tests expect of a cache.
@Suite(.timeLimit(.minutes(2)))
struct CacheTests {
  @Test("a value is stored, replaced, read and removed", arguments: TestStore.allCases)
  func values(store: TestStore) async throws {
    try await withApplication(store) { app in
      #expect(try await app.cache.get("a", as: String.self) == nil)
      try await app.cache.set("a", to: "one")
      #expect(try await app.cache.get("a") == "one")
      try await app.cache.set("a", to: "two")
      #expect(try await app.cache.get("a") == "two")
      try await app.cache.set("user", to: User(name: "Ada"))
      #expect(try await app.cache.get("user", as: User.self) == User(name: "Ada"))
      try await app.cache.delete("a")
      try await app.cache.set("user", to: User?.none)
      try await app.cache.delete("absent")
      #expect(try await app.cache.get("a", as: String.self) == nil)
      #expect(try await app.cache.get("user", as: User.self) == nil)
    }
  }

  @Test("a value expires, and a later one without a time does not", arguments: TestStore.allCases)
  func expiring(store: TestStore) async throws {
    try await withApplication(store) { app in
      try await app.cache.set("zero", to: "a", expiresIn: .seconds(0))
      try await app.cache.set("soon", to: "b", expiresIn: .seconds(1))
      try await app.cache.set("later", to: "c", expiresIn: .hours(1))
      #expect(try await app.cache.get("zero", as: String.self) == nil)
      try await until { try await app.cache.get("soon", as: String.self) == nil }
      #expect(try await app.cache.get("later") == "c")
      try await app.cache.set("zero", to: "d")
      #expect(try await app.cache.get("zero") == "d")
    }
  }

  @Test("a value of another type fails, and stays", arguments: TestStore.allCases)
  func types(store: TestStore) async throws {
    try await withApplication(store) { app in
      try await app.cache.set("a", to: User(name: "Ada"))
      await #expect(throws: DecodingError.self) { try await app.cache.get("a", as: Int.self) }
      #expect(try await app.cache.get("a") == User(name: "Ada"))
    }
  }

  @Test("a value that cannot be encoded fails, and changes nothing")
  func encoding() async throws {
    try await withApplication(.memory) { app in
      try await app.cache.set("a", to: 1.0)
      await #expect(throws: EncodingError.self) { try await app.cache.set("a", to: Double.nan) }
      #expect(try await app.cache.get("a") == 1.0)
    }
  }

  private func addRoutes(_ app: Application) {
    app.get("count") { request -> String in
      let last = try await request.cache.get("count", as: Int.self)
      let count = (last ?? 0) + 1
      try await request.cache.set("count", to: count)
      return "\(count)"
    }
    app.get("loop") { request -> EventLoopFuture<String> in
      request.cache.get("count", as: Int.self).map { count in
        "\(count ?? 0), \(request.eventLoop.inEventLoop)"
      }
    }
  }

  @Test(
    "a request's cache is the application's, on the event loop of the request", arguments: TestStore.allCases)
  func requests(store: TestStore) async throws {
    try await withApplication(store) { app in
      addRoutes(app)
      let first = try await app.send("/count")
      #expect(first.text == "1")
      #expect(try await app.send("/count").text == "2")
      #expect(try await app.cache.get("count") == 2)
      #expect(try await app.send("/loop").text == "2, true")
    }
  }
}
