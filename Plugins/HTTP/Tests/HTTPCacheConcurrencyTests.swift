import Dispatch
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

@Suite(.endsInTime)
struct HTTPCacheConcurrencyTests {
  /// Starts `count` requests for one path, and returns when all wait for one load.
  private func crowd(_ count: Int, _ web: Web, _ path: String = "/") async -> [Task<Response, any Error>] {
    let tasks = (0..<count).map { _ in Task { try await web.get(path) } }
    await until { web.cache.engine.flights.waiting == count }
    return tasks
  }

  @Test(
    "a hundred concurrent misses of one URL send one request to the origin",
    arguments: ["max-age=60", "no-cache"])
  func misses(control: String) async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      hold.wait()
      return .ok("\($0.index)", ["Cache-Control": control, "ETag": "1"])
    }
    defer { web.stop() }
    let tasks = await crowd(100, web)
    hold.signal()
    for task in tasks { #expect(try await task.value.text == "0") }
    #expect(web.server.received.count == 1)
  }

  @Test("a hundred requests for a stale response revalidate it once")
  func revalidations() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.index > 0 { hold.wait() }
      return $0.fields["if-none-match"] == nil
        ? .ok("body", ["Cache-Control": "max-age=60", "ETag": "1"]) : .status(304)
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    let tasks = await crowd(100, web)
    hold.signal()
    for task in tasks { #expect(try await task.value.text == "body") }
    #expect(web.server.received.count == 2)
  }

  @Test("requests for different URLs do not wait for each other")
  func parallel() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.target == "/slow" { hold.wait() }
      return .ok($0.target, ["Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    let slow = await crowd(1, web, "/slow")
    #expect(try await web.get("/fast").text == "/fast")
    hold.signal()
    #expect(try await slow[0].value.text == "/slow")
  }

  @Test("a response that may not be stored is not shared: each caller sends its own request")
  func unshared() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.index == 0 { hold.wait() }
      return .ok("\($0.index)", ["Cache-Control": "no-store"])
    }
    defer { web.stop() }
    let tasks = await crowd(10, web)
    hold.signal()
    var texts: Set<String> = []
    for task in tasks { texts.insert(try await task.value.text) }
    #expect(texts.count == 10)
  }

  @Test(
    "a validated response that may not be stored any more is not shared either",
    arguments: [["Cache-Control": "no-store"], ["Vary": "*"]])
  func unsharedValidation(fields: [String: String]) async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.index == 0 { return .ok("old", ["Cache-Control": "max-age=60", "ETag": "\"1\""]) }
      if $0.index > 1 { return .ok("\($0.index)", fields) }
      hold.wait()
      return .status(304, "", fields)
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    let tasks = await crowd(10, web)
    hold.signal()
    var texts: Set<String> = []
    for task in tasks { texts.insert(try await task.value.text) }
    #expect(texts.count == 10)
    #expect(web.server.received.count == 11)
  }

  @Test("a failed load throws to all callers that wait for it, and later callers load again")
  func failures() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.index > 0 { return .ok("again") }
      hold.wait()
      return .init(raw: "")
    }
    defer { web.stop() }
    let tasks = await crowd(10, web)
    hold.signal()
    for task in tasks { #expect(await failure { _ = try await task.value } == .backendFailed) }
    #expect(web.server.received.count == 1)
    #expect(try await web.get().text == "again")
  }

  @Test("cancelling one caller, even the first, does not fail the others", arguments: 0..<3)
  func cancelOne(index: Int) async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      hold.wait()
      return .ok("\($0.index)", ["Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    var tasks: [Task<Response, any Error>] = []
    for count in 1...3 {
      tasks.append(Task { try await web.get() })
      await until { web.cache.engine.flights.waiting == count }
    }
    let cancelled = tasks.remove(at: index)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    hold.signal()
    for task in tasks { #expect(try await task.value.text == "0") }
    #expect(web.server.received.count == 1)
  }

  @Test("cancelling all callers cancels the request, and the next caller starts another")
  func cancelAll() async throws {
    let web = try Web { $0.index == 0 ? .init(isSilent: true) : .ok("again") }
    defer { web.stop() }
    let tasks = await crowd(3, web)
    await until { web.server.received.count == 1 }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    await until { web.server.hangUps == 1 }
    #expect(try await web.get().text == "again")
  }

  @Test("a request whose callers were all cancelled is not reported as a failure of the origin")
  func cancellationIsNoFailure() async throws {
    let web = try Web(staleIfError: 1000) {
      $0.index == 0 ? .ok("0", ["Cache-Control": "max-age=60"]) : .init(isSilent: true)
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    let tasks = await crowd(1, web)
    await until { web.server.received.count == 2 }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    await until { web.cache.engine.flights.count == 0 }
    #expect(web.troubles.value.isEmpty)
  }

  @Test("a task cancelled before its request sends nothing")
  func cancelledBefore() async throws {
    let web = try Web { _ in .ok("") }
    defer { web.stop() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await web.get()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    await until { web.cache.engine.flights.count == 0 }
    #expect(web.server.received.isEmpty)
  }

  @Test("a miss noticed before another load stored the response does not load again")
  func lateMiss() async throws {
    let server = try LocalServer { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { server.stop() }
    let store = SlowStorage<DictionaryStorage<String, Data>>(DictionaryStorage())
    let cache = HTTPCache(store: store)
    let key = Request.url(try server.url())
    let gate = store.stop(.read)
    let late = Task { try await cache.retrieve(forKey: key) }
    await gate.arrivals(1)
    #expect(try await cache.retrieve(forKey: key).text == "0")
    gate.open()
    #expect(try await late.value.text == "0")
    #expect(server.received.count == 1)
  }

  @Test("a load that started before a change of its URL is not stored, and no later caller joins it")
  func overtaken() async throws {
    let hold = DispatchSemaphore(value: 0)
    let web = try Web {
      if $0.index == 0 { hold.wait() }
      return .ok("\($0.method) \($0.index)", ["Cache-Control": "max-age=60"])
    }
    defer { web.stop() }
    let early = await crowd(1, web)
    await until { web.server.received.count == 1 }
    _ = try await web.send("PUT")
    #expect(try await web.get().text == "GET 2")
    hold.signal()
    #expect(try await early[0].value.text == "GET 0")
    #expect(try await web.get().text == "GET 2")
  }
}
