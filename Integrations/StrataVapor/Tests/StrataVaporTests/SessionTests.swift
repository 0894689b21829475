import Foundation
import Strata
import Testing
import Vapor

@testable import StrataVapor

/// What Vapor's own tests expect of sessions.
@Suite(.timeLimit(.minutes(2)))
struct SessionTests {
  /// Adds routes that set, read and end a session.
  private func addRoutes(_ app: Application) {
    app.middleware.use(app.sessions.middleware)
    app.get("set", ":name") { request in
      request.session.data["name"] = try request.parameters.require("name")
      return "set"
    }
    app.get("get") { request in
      guard let name = request.session.data["name"] else { throw Abort(.badRequest) }
      return name
    }
    app.get("end") { request in
      request.session.destroy()
      return "ended"
    }
    app.get("none") { _ in "none" }
  }

  @Test("a session is found by its cookie, changed, and gone after its end", arguments: TestStore.allCases)
  func life(store: TestStore) async throws {
    try await withApplication(store) { app in
      addRoutes(app)
      #expect(try await app.send("/get").status == .badRequest)
      #expect(try await app.send("/none").cookie == nil)
      let cookie = try #require(try await app.send("/set/ada").cookie)
      #expect(Data(base64Encoded: cookie)?.count == 32)
      #expect(try await app.send("/get", cookie: cookie).text == "ada")
      #expect(try await app.send("/set/grace", cookie: cookie).cookie == cookie)
      #expect(try await app.send("/get", cookie: cookie).text == "grace")
      let other = try #require(try await app.send("/set/alan").cookie)
      #expect(other != cookie)
      #expect(try await app.send("/end", cookie: cookie).cookie == "")
      #expect(try await app.send("/get", cookie: cookie).status == .badRequest)
    }
  }

  @Test("a cookie of no session is replaced by that of a new one", arguments: TestStore.allCases)
  func unknown(store: TestStore) async throws {
    try await withApplication(store) { app in
      addRoutes(app)
      let cookie = try #require(try await app.send("/set/ada", cookie: "unknown").cookie)
      #expect(cookie != "unknown")
      #expect(try await app.send("/get", cookie: cookie).text == "ada")
    }
  }

  @Test("a session ends after its lifetime without a request, counted from the last")
  func lifetime() async throws {
    let time = ManualClock()
    let memory = MemoryStorage<String, Data>(config: MemoryConfig(clock: time.clock))
    try await withApplication(.memory) { app in
      app.sessions.use(.strata(memory, lifetime: .seconds(60)))
      addRoutes(app)
      let cookie = try #require(try await app.send("/set/ada").cookie)
      for _ in 1...3 {
        time.advance(by: .seconds(59))
        #expect(try await app.send("/get", cookie: cookie).text == "ada")
      }
      time.advance(by: .seconds(60))
      #expect(try await app.send("/get", cookie: cookie).status == .badRequest)
    }
  }
}
