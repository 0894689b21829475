import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdAuth
import Strata
import Testing

@testable import StrataHummingbird

private struct Visit: Codable, Sendable, Equatable {
  var name: String
}

private struct VisitContext: SessionRequestContext {
  typealias Source = TestContext.Source

  var coreContext: CoreRequestContextStorage
  let sessions = SessionContext<Visit>()

  init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}

/// What Hummingbird's own tests expect of sessions, over the driver.
@Suite(.timeLimit(.minutes(2)))
struct SessionTests {
  private func driver(_ store: TestStore) throws -> any PersistDriver {
    func driver(_ store: some TestStore.Store) -> any PersistDriver { StrataPersistDriver(store) }
    return driver(try store.open())
  }

  /// A service that sets, changes, reads and ends sessions.
  private func service(
    _ persist: any PersistDriver, configuration: SessionMiddlewareConfiguration = .init()
  ) -> Service<VisitContext> {
    let router = Router(context: VisitContext.self)
    router.add(middleware: SessionMiddleware(storage: persist, configuration: configuration))
    router.post("login") { request, context -> HTTPResponse.Status in
      let name = try request.uri.queryParameters.require("name")
      context.sessions.setSession(Visit(name: name), expiresIn: .seconds(600))
      return .ok
    }
    router.post("rename") { request, context -> HTTPResponse.Status in
      let name = try request.uri.queryParameters.require("name")
      context.sessions.withLockedSession { $0?.name = name }
      return .ok
    }
    router.post("prolong") { _, context -> HTTPResponse.Status in
      context.sessions.withLockedSession { $0?.expiresIn = .seconds(6000) }
      return .ok
    }
    router.get("name") { _, context in
      guard let visit = context.sessions.session else { throw HTTPError(.unauthorized) }
      return visit.name
    }
    router.get("ttl") { _, context in
      String(context.sessions.withLockedSession { $0?.expiresIn?.components.seconds ?? -1 })
    }
    router.post("logout") { _, context -> HTTPResponse.Status in
      context.sessions.clearSession()
      return .ok
    }
    return Service(router)
  }

  @Test("a session is found by its cookie, changed, and gone after its end", arguments: TestStore.allCases)
  func life(store: TestStore) async throws {
    let persist = try driver(store)
    let service = service(persist)
    #expect(try await service.send(.get, "/name").status == .unauthorized)
    let login = try await service.send(.post, "/login?name=ada")
    let cookie = try #require(login.fields[.setCookie])
    #expect(try await service.send(.get, "/name", [.cookie: cookie]).text == "ada")
    #expect(try await service.send(.get, "/name", [.cookie: "SESSION_ID=unknown"]).status == .unauthorized)
    // A change keeps the time of expiry, so that there is no new cookie.
    let renamed = try await service.send(.post, "/rename?name=grace", [.cookie: cookie])
    #expect(renamed.fields[.setCookie] == nil)
    #expect(try await service.send(.get, "/name", [.cookie: cookie]).text == "grace")
    let seconds = try #require(Int(try await service.send(.get, "/ttl", [.cookie: cookie]).text))
    #expect(seconds > 500 && seconds < 600)
    let prolonged = try await service.send(.post, "/prolong", [.cookie: cookie])
    #expect(prolonged.fields[.setCookie] != nil)
    let longer = try #require(Int(try await service.send(.get, "/ttl", [.cookie: cookie]).text))
    #expect(longer > 5000)
    #expect(try await service.send(.post, "/logout", [.cookie: cookie]).fields[.setCookie] != nil)
    #expect(try await service.send(.get, "/name", [.cookie: cookie]).status == .unauthorized)
  }

  @Test("a session of another type is no session, and its cookie ends")
  func types() async throws {
    let persist = try driver(.memory)
    let cookie = try await SessionStorage<Int>(persist).save(session: 1, expiresIn: .seconds(60))
    let answer = try await service(persist).send(.get, "/name", [.cookie: cookie.description])
    #expect(answer.status == .unauthorized)
    let ended = try await service(persist).send(.post, "/logout", [.cookie: cookie.description])
    #expect(ended.fields[.setCookie] != nil)
    #expect(try await persist.get(key: "hbs.\(cookie.value)", as: Int.self) == nil)
  }

  @Test("the key of a session has the prefix of the configuration")
  func prefix() async throws {
    let persist = try driver(.memory)
    let answer = try await service(persist, configuration: .init(keyPrefix: "visits/")).send(
      .post, "/login?name=ada")
    let cookie = try #require(answer.fields[.setCookie])
    let id = try #require(cookie.split(separator: ";").first).dropFirst("SESSION_ID=".count)
    #expect(try await persist.get(key: "visits/\(id)", as: Visit.self) == Visit(name: "ada"))
  }
}
