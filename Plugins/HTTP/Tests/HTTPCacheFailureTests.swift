import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

@Suite(.endsInTime)
struct HTTPCacheFailureTests {
  static let broken: [LocalServer.Answer] = [.status(500), .status(502), .status(503), .init(raw: "")]

  @Test(
    "a stale response is served while the origin fails, for as long as its stale-if-error allows",
    arguments: broken)
  func staleIfError(answer: LocalServer.Answer) async throws {
    let web = try Web {
      $0.index == 0 ? .ok("0", ["Cache-Control": "max-age=60, stale-if-error=30"]) : answer
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 90)
    let response = try await web.get()
    #expect(response.text == "0" && response.status == 200)
    #expect(response["Cache-Status"] == "Strata; hit; detail=stale-if-error; ttl=-30")
    #expect(web.troubles.value.map(\.code) == [StorageError.backendFailed.code])
    #expect(web.troubles.value.first?.cause != nil)
    web.time.advance(by: 1)
    if answer.raw == nil {
      #expect(try await web.get().status == answer.status)
    } else {
      #expect(await failure { _ = try await web.get() } == .backendFailed)
    }
  }

  @Test(
    "without a stale-if-error, the configuration limits how long a stale response is served",
    arguments: [0, 1000] as [Double])
  func configured(allowance: Double) async throws {
    let web = try Web(staleIfError: allowance) {
      $0.index == 0 ? .ok("0", ["Cache-Control": "max-age=60"]) : .status(500)
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 100)
    #expect(try await web.get().status == (allowance > 0 ? 200 : 500))
  }

  @Test(
    "must-revalidate, no-cache and a request with no-cache never serve a stale response", arguments: broken)
  func forbidden(answer: LocalServer.Answer) async throws {
    for (control, asked) in [
      ("max-age=60, must-revalidate", ""), ("no-cache", ""), ("max-age=60", "no-cache"),
    ] {
      let web = try Web(staleIfError: 1000) {
        $0.index == 0 ? .ok("0", ["Cache-Control": control, "ETag": "1"]) : answer
      }
      defer { web.stop() }
      _ = try await web.get()
      web.time.advance(by: 61)
      if answer.raw == nil {
        #expect(try await web.get("/", ["Cache-Control": asked]).status == answer.status)
      } else {
        #expect(await failure { _ = try await web.get("/", ["Cache-Control": asked]) } == .backendFailed)
      }
    }
  }

  @Test(
    "a failing origin removes nothing from the store: once it works again, the response is only validated")
  func afterwards() async throws {
    let web = try Web {
      switch $0.index {
      case 0: .ok("0", ["Cache-Control": "max-age=60", "ETag": "1"])
      case 1: .status(500)
      default: $0.fields["if-none-match"] == "1" ? .status(304) : .ok("lost")
      }
    }
    defer { web.stop() }
    _ = try await web.get()
    web.time.advance(by: 60)
    #expect(try await web.get().status == 500)
    #expect(try await web.get().text == "0")
  }

  @Test("a store that cannot be read makes the request fail: it is not treated as a miss")
  func unreadable() async throws {
    let web = try Web { .ok("\($0.index)") }
    defer { web.stop() }
    web.store.fail(.read)
    let error = await failure { _ = try await web.get() }
    #expect(error == .backendFailed)
    #expect(error?.cause is Failure)
    #expect(web.server.received.isEmpty)
  }

  @Test("a store that cannot be written makes the request fail, and the error contains the response")
  func unwritable() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    web.store.fail(.write)
    let error = await failure { _ = try await web.get() }
    #expect(error == .backendFailed)
    let unstored = try #require(error?.cause as? UnstoredResponse)
    #expect(unstored.response.text == "0")
    #expect(unstored.cause is Failure)
    web.store.work()
    #expect(try await web.get().text == "1")
  }

  @Test("an unsafe method throws an error with the response if the stored ones cannot be removed")
  func unremovable() async throws {
    let web = try Web { .ok("\($0.method)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    _ = try await web.get()
    web.store.fail(.remove)
    let error = await failure { _ = try await web.send("POST") }
    #expect((error?.cause as? UnstoredResponse)?.response.text == "POST")
  }

  @Test(
    "unreadable bytes in the store are never served: the response is requested again and overwrites them",
    arguments: [
      Data(), Data("nonsense".utf8), Data("{\"version\":1,\"variants\":[]}".utf8),
      Data("bplist00".utf8) + Data(repeating: 0xff, count: 100),
    ])
  func damaged(bytes: Data) async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    try await web.store.setObject(bytes, forKey: web.key())
    #expect(try await web.get().text == "0")
    #expect(web.troubles.value == [.typeNotMatch])
    #expect(try await web.get().text == "0")
  }

  @Test("a record of another version is ignored")
  func version() async throws {
    struct Newer: Codable {
      var version = 2
      var variants = ["something else"]
    }
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    try await web.store.setObject(Transformer.propertyList(Newer.self).toData(Newer()), forKey: web.key())
    #expect(try await web.get().text == "0")
    #expect(web.troubles.value.count == 1)
  }

  @Test("a truncated entry is never served")
  func truncated() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60"]) }
    defer { web.stop() }
    _ = try await web.get()
    let whole = try #require(web.store.objects[web.key()])
    for count in stride(from: 0, to: whole.count, by: 7) {
      try await web.store.setObject(whole.prefix(count), forKey: web.key())
      let index = web.server.received.count
      #expect(try await web.get().text == "\(index)")
    }
  }

  @Test("an entry expires when its response is stale and can no longer be used")
  func lifetime() async throws {
    let web = try Web { .ok("\($0.index)", ["Cache-Control": "max-age=60", "ETag": "1"]) }
    defer { web.stop() }
    _ = try await web.get()
    let entry = try await web.store.entryIfPresent(forKey: web.key())
    #expect(entry?.expiry == .date(web.time.date.addingTimeInterval(60 + 30 * 86_400)))
  }
}
