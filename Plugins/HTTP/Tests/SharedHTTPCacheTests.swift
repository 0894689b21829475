import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Refusal: Error {}

@Suite(.endsInTime)
struct SharedHTTPCacheTests {
  /// A cache, and a handler that counts its calls: the body of a response is the number of the call.
  private final class Service: Sendable {
    let time = ManualClock()
    let store: DictionaryStorage<String, Data>
    let cache: SharedHTTPCache<DictionaryStorage<String, Data>>
    private let gates: Locked<Gate>
    private let asked = Locked<[Request]>([])
    private let fields: Locked<[String: String]>

    init(_ fields: [String: String], holding places: Int = 0) {
      store = DictionaryStorage(clock: time.clock)
      cache = SharedHTTPCache(store: store, config: HTTPCacheConfig(clock: time.clock))
      gates = Locked(Gate(holding: places))
      self.fields = Locked(fields)
    }

    convenience init(_ control: String, holding places: Int = 0) {
      self.init(["Cache-Control": control], holding: places)
    }

    var calls: [Request] { asked.withLock { $0 } }

    var gate: Gate { gates.withLock { $0 } }

    /// Holds the next calls of the handler.
    func hold(_ places: Int) { gates.withLock { $0 = Gate(holding: places) } }

    func answers(_ fields: [String: String]) { self.fields.withLock { $0 = fields } }

    /// Returns the body of the response, or the reason of an error.
    func get(
      _ fields: [String: String] = [:], _ method: String = "GET", path: String = "/", fails: Bool = false
    ) async throws -> String {
      let url = try #require(URL(string: "http://service.test\(path)"))
      return try await cache.response(to: request(url, method, fields)) { request in
        let number = self.asked.withLock { asked in
          asked.append(request)
          return asked.count
        }
        await self.gate.pass()
        if fails { throw Refusal() }
        try Task.checkCancellation()
        let answer = self.fields.withLock { $0 }
        let isKnown = request.urlRequest.value(forHTTPHeaderField: "If-None-Match") == answer["ETag"]
        let status = isKnown && answer["ETag"] != nil ? 304 : 200
        return Response(
          httpUrlResponse: try #require(
            HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: answer)),
          data: Data("\(number)".utf8))
      }.text
    }
  }

  @Test(
    "a response is served to all, to callers with equal credentials, or to none",
    arguments: [
      // The fields of the response, those of two requests, and whether both receive one response.
      (["Cache-Control": "max-age=60"], [:], [:], true),
      (["Cache-Control": "s-maxage=60"], [:], [:], true),
      (["Cache-Control": "max-age=60, private"], [:], [:], false),
      (["Cache-Control": "max-age=60, private=\"X\""], [:], [:], false),
      (["Cache-Control": "max-age=60", "Set-Cookie": "id=1"], [:], [:], false),
      (["Cache-Control": "max-age=60, public", "Set-Cookie": "id=1"], [:], [:], false),
      (["Cache-Control": "max-age=60, no-store"], [:], [:], false),
      (["Cache-Control": "max-age=60"], ["User-Agent": "a"], ["User-Agent": "b"], true),
      (
        ["Cache-Control": "max-age=60", "Vary": "User-Agent"], ["User-Agent": "a"], ["User-Agent": "b"], false
      ),
      (["Cache-Control": "max-age=60", "Vary": "User-Agent"], [:], ["User-Agent": "xctest"], false),
      (["Cache-Control": "max-age=60"], ["Authorization": "a"], ["Authorization": "a"], false),
      (["Cache-Control": "max-age=60, public"], ["Authorization": "a"], ["Authorization": "a"], true),
      (["Cache-Control": "s-maxage=60"], ["Authorization": "a"], ["Authorization": "b"], false),
      (["Cache-Control": "max-age=60, must-revalidate"], ["Authorization": "a"], [:], false),
      (["Cache-Control": "max-age=60"], ["Cookie": "a"], ["Cookie": "a"], true),
      (["Cache-Control": "max-age=60"], ["Cookie": "a"], ["Cookie": "b"], false),
      (["Cache-Control": "max-age=60"], [:], ["Cookie": "b"], false),
      (["Cache-Control": "max-age=60, public"], ["Cookie": "a"], ["Cookie": "b"], true),
      (["Cache-Control": "s-maxage=60"], ["Cookie": "a"], [:], true),
      (["Cache-Control": "max-age=60, public", "Vary": "Cookie"], [:], [:], true),
    ] as [([String: String], [String: String], [String: String], Bool)])
  func users(
    response: [String: String], first: [String: String], second: [String: String], isOne: Bool
  ) async throws {
    let service = Service(response)
    #expect(try await service.get(first) == "1")
    #expect(try await service.get(second) == (isOne ? "1" : "2"))
  }

  @Test("s-maxage precedes max-age and Expires, and forbids stale responses, as proxy-revalidate does")
  func lifetimes() async throws {
    let long = Service("max-age=1, s-maxage=60")
    _ = try await long.get()
    long.time.advance(by: 59)
    #expect(try await long.get() == "1")
    long.time.advance(by: 1)
    #expect(try await long.get() == "2")
    let short = Service("max-age=60, s-maxage=0, stale-if-error=60")
    _ = try await short.get()
    await #expect(throws: Refusal.self) { try await short.get(fails: true) }
    for control in ["max-age=1, proxy-revalidate, stale-if-error=60", "s-maxage=1, stale-if-error=60"] {
      let service = Service(control)
      _ = try await service.get()
      service.time.advance(by: 2)
      await #expect(throws: Refusal.self) { try await service.get(fails: true) }
    }
    let lenient = Service("max-age=1, stale-if-error=60")
    _ = try await lenient.get()
    lenient.time.advance(by: 2)
    #expect(try await lenient.get(fails: true) == "1")
  }

  @Test("concurrent misses share one handler, also if their requests differ in fields that do not matter")
  func crowd() async throws {
    let service = Service("max-age=60", holding: 1)
    let tasks = (0..<20).map { number in Task { try await service.get(["User-Agent": "\(number)"]) } }
    await until { service.cache.engine.flights.waiting == 19 }
    service.gate.open()
    for task in tasks { #expect(try await task.value == "1") }
    #expect(service.calls.count == 1)
  }

  @Test(
    "a response that is not stored or does not fit is not shared",
    arguments: [
      "max-age=60, private", "no-store", "max-age=60",
    ])
  func loners(control: String) async throws {
    let service = Service(["Cache-Control": control, "Vary": "Accept"], holding: 1)
    let tasks = (0..<20).map { number in Task { try await service.get(["Accept": "\(number)"]) } }
    await until { service.cache.engine.flights.waiting == 19 }
    service.gate.open()
    var bodies: Set<String> = []
    for task in tasks { bodies.insert(try await task.value) }
    #expect(bodies.count == 20)
  }

  @Test(
    "callers do not wait for a URL whose last response was not stored, until one is",
    arguments: ["no-store", "private", ""])
  func strangers(control: String) async throws {
    let service = Service(control)
    _ = try await service.get()
    service.hold(3)
    let tasks = (0..<3).map { _ in Task { try await service.get() } }
    // All are in the handler at the same time.
    await service.gate.arrivals(3)
    service.gate.open()
    for task in tasks { _ = try await task.value }
    service.answers(["Cache-Control": "max-age=60"])
    #expect(try await service.get() == "5")
    #expect(try await service.get() == "5")
  }

  @Test("an error reaches the caller of the handler only")
  func failures() async throws {
    let service = Service("max-age=60", holding: 1)
    let first = Task { try await service.get(fails: true) }
    await service.gate.arrivals(1)
    let others = (0..<5).map { _ in Task { try await service.get() } }
    await until { service.cache.engine.flights.waiting == 5 }
    service.gate.open()
    await #expect(throws: Refusal.self) { try await first.value }
    for task in others { _ = try await task.value }
  }

  @Test("if the caller of the handler is cancelled, another one's handler runs")
  func cancellation() async throws {
    let service = Service("max-age=60", holding: 1)
    let first = Task { try await service.get() }
    await service.gate.arrivals(1)
    let others = (0..<5).map { _ in Task { try await service.get() } }
    await until { service.cache.engine.flights.waiting == 5 }
    first.cancel()
    service.gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    for task in others { #expect(try await task.value == "2") }
    #expect(service.calls.count == 2)
  }

  @Test("while one caller validates, others receive the stale response")
  func staleWhileRevalidate() async throws {
    let service = Service("max-age=60, stale-while-revalidate=60")
    _ = try await service.get()
    service.time.advance(by: 90)
    let gate = Gate(holding: 1)
    let url = try #require(URL(string: "http://service.test/"))
    let first = Task {
      try await service.cache.response(to: .url(url)) { _ in
        await gate.pass()
        throw Refusal()
      }
    }
    await gate.arrivals(1)
    #expect(try await service.get() == "1")
    gate.open()
    await #expect(throws: Refusal.self) { try await first.value }
    #expect(try await service.get() == "2")
  }

  @Test("a stale response is validated with the handler, whose 304 makes it fresh")
  func validation() async throws {
    let service = Service(["Cache-Control": "max-age=60", "ETag": "\"a\""])
    _ = try await service.get()
    service.time.advance(by: 60)
    #expect(try await service.get() == "1")
    #expect(service.calls.count == 2)
    #expect(try await service.get() == "1")
    #expect(service.calls.count == 2)
  }

  @Test("an unsafe method removes the stored response; HEAD and others do neither")
  func methods() async throws {
    let service = Service("max-age=60")
    #expect(try await service.get() == "1")
    #expect(try await service.get([:], "HEAD") == "2")
    #expect(try await service.get([:], "OPTIONS") == "3")
    #expect(try await service.get() == "1")
    #expect(try await service.get(["If-None-Match": "x"]) == "4")
    #expect(try await service.get(["Range": "bytes=0-0"]) == "1")
    #expect(try await service.get(["Range": "bytes=0-0"], path: "/other") == "5")
    #expect(try await service.get([:], "POST") == "6")
    #expect(try await service.get() == "7")
  }

  @Test(
    "only the responses that would be stored need a body",
    arguments: [
      ("max-age=60", [:], true), ("private, max-age=60", [:], false), ("no-store", [:], false),
      ("", [:], false),
      ("max-age=60", ["Authorization": "a"], false), ("max-age=60", ["Range": "bytes=0-1"], false),
    ] as [(String, [String: String], Bool)])
  func mayStore(control: String, fields: [String: String], expected: Bool) throws {
    let service = Service(control)
    let url = try #require(URL(string: "http://service.test/"))
    let head = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": control]))
    #expect(service.cache.mayStore(head, for: request(url, "GET", fields)) == expected)
  }
}
