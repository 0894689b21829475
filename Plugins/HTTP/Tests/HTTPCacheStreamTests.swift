import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Responses whose bodies are read a part at a time.
@Suite(.endsInTime) struct HTTPCacheStreamTests {
  static let large = noise(5 << 20)

  private static func answer(_ fields: [String: String] = [:], _ bytes: Data = large) -> LocalServer.Answer {
    .init(fields: fields.map { ($0.key, $0.value) }, bytes: Array(bytes))
  }

  private static let fresh = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test(
    "a large body is stored while it is read, and later ones come from the store",
    arguments: [large, large.prefix(900)], StoreKind.allCases)
  func storing(_ body: Data, _ kind: StoreKind) async throws {
    let web = try Web(over: kind) { _ in Self.answer(Self.fresh, body) }
    defer { web.stop() }
    let first = try await web.stream()
    #expect(first.httpUrlResponse.statusCode == 200 && first.body.length == body.count)
    #expect(try await first.body.data() == body)
    let second = try await web.stream()
    #expect(try await second.body.data() == body)
    #expect(try await second.body.data() == body, "a stored body can be read again")
    #expect(second.httpUrlResponse.value(forHTTPHeaderField: "Age") == "0")
    #expect(try await web.get().data == body)
    let part = try await web.stream("/", ["Range": "bytes=700-799"])
    #expect(part.httpUrlResponse.statusCode == 206 && part.body.length == 100)
    #expect(try await part.body.data() == body.dropFirst(700).prefix(100))
    #expect(try await web.get("/", ["Range": "bytes=-50"]).data == body.suffix(50))
    #expect(web.server.received.count == 1)
    #expect(try await web.keys().count == (body.count > StoredBytes.partSize ? 2 : 1))
  }

  @Test(
    "readers of one missing response share a download, each at its own pace", arguments: StoreKind.allCases)
  func sharing(_ kind: StoreKind) async throws {
    let web = try Web(over: kind) { _ in Self.answer(Self.fresh) }
    defer { web.stop() }
    let slow = try await web.stream()
    var iterator = slow.body.makeAsyncIterator()
    var read = try #require(try await iterator.next())
    let others = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<5 { group.addTask { try await web.stream().body.data() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(others.allSatisfy { $0 == Self.large })
    while let part = try await iterator.next() { read += part }
    #expect(read == Self.large)
    #expect(web.server.received.count == 1)
    #expect(try await web.keys().count == 2)
  }

  @Test(
    "a body that ends early fails for all readers, is not stored, and is requested again",
    arguments: StoreKind.allCases)
  func truncated(_ kind: StoreKind) async throws {
    let web = try Web(over: kind) { request in
      var answer = Self.answer(Self.fresh)
      if request.index == 0 { answer.claimedLength = 6 << 20 }
      return answer
    }
    defer { web.stop() }
    let first = try await web.stream()
    let second = try await web.stream()
    for response in [first, second] {
      let error = await failure { _ = try await response.body.data() }
      #expect(error == .backendFailed)
    }
    #expect(try await web.keys().isEmpty)
    #expect(try await web.stream().body.data() == Self.large)
    #expect(web.server.received.count == 2)
  }

  @Test("when the last reader leaves, nothing is stored, and the request ends", arguments: StoreKind.allCases)
  func leaving(_ kind: StoreKind) async throws {
    let web = try Web(over: kind) { _ in
      .init(
        fields: [("Cache-Control", "max-age=60")], bytes: Array(Self.large), claimedLength: 9 << 20,
        staysOpen: true)
    }
    defer { web.stop() }
    for _ in 0..<2 {
      let response = try await web.stream()
      for try await _ in response.body { break }
    }
    await until { web.server.hangUps > 0 }
    #expect(try await web.keys().isEmpty)
  }

  @Test(
    "a response that must not be stored passes through, for each caller by itself", arguments: [true, false],
    StoreKind.allCases)
  func passing(_ hasLength: Bool, _ kind: StoreKind) async throws {
    let web = try Web(over: kind) { request in
      hasLength
        ? Self.answer(["Cache-Control": "no-store"])
        : .init(
          raw: "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\n\r\n" + String(repeating: "a", count: 5 << 20))
    }
    defer { web.stop() }
    let (first, second) = (try await web.stream(), try await web.stream())
    #expect(try await first.body.data().count == 5 << 20)
    #expect(try await second.body.data().count == 5 << 20)
    await #expect(throws: StorageError.backendFailed) { _ = try await second.body.data() }
    #expect(try await web.keys().isEmpty && web.server.received.count == 2)
  }

  @Test(
    "a body of unknown length is stored by its reader, if it is not too long", arguments: [Int.max, 4 << 20],
    StoreKind.allCases)
  func unknownLength(_ limit: Int, _ kind: StoreKind) async throws {
    let web = try Web(over: kind, bodyLimit: limit) { _ in
      .init(
        raw: "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\n" + String(repeating: "a", count: 5 << 20))
    }
    defer { web.stop() }
    for _ in 0..<2 {
      let response = try await web.stream()
      #expect(try await response.body.data() == Data(repeating: 0x61, count: 5 << 20))
    }
    #expect(web.server.received.count == (limit == .max ? 1 : 2))
    #expect(try await web.keys().count == (limit == .max ? 2 : 0))
  }

  @Test(
    "a body that is too long to be stored removes the old response", arguments: [true, false],
    StoreKind.allCases)
  func tooLong(_ hasLength: Bool, _ kind: StoreKind) async throws {
    let web = try Web(over: kind, bodyLimit: 4 << 20) { request in
      if request.index == 0 { return Self.answer(Self.fresh, Data("old".utf8)) }
      let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n"
      let length = hasLength ? "Content-Length: \(5 << 20)\r\n" : ""
      return .init(raw: "\(head)\(length)\r\n" + String(repeating: "a", count: 5 << 20))
    }
    defer { web.stop() }
    #expect(try await web.stream().body.data() == Data("old".utf8))
    let new = Data(repeating: 0x61, count: 5 << 20)
    #expect(try await web.stream("/", ["Cache-Control": "no-cache"]).body.data() == new)
    #expect(try await web.keys().isEmpty)
    #expect(try await web.stream().body.data() == new)
    #expect(web.server.received.count == 3)
  }

  @Test(
    "a validated response keeps its stored body, and a new one replaces it", arguments: [true, false],
    StoreKind.allCases)
  func revalidation(_ isConfirmed: Bool, _ kind: StoreKind) async throws {
    let news = Data(Self.large.reversed())
    let web = try Web(over: kind) { request in
      if request.index == 0 { return Self.answer(Self.fresh) }
      return isConfirmed
        ? .status(304, "", Self.fresh) : Self.answer(["Cache-Control": "max-age=60", "ETag": "\"2\""], news)
    }
    defer { web.stop() }
    _ = try await web.stream().body.data()
    let key = try #require(await web.keys().first { $0.contains("#") })
    web.time.advance(by: 100)
    #expect(try await web.stream().body.data() == (isConfirmed ? Self.large : news))
    #expect(web.server.received.last?.fields["if-none-match"] == "\"1\"")
    let keys = try await web.keys()
    #expect(keys.count == 2 && keys.contains(key) == isConfirmed)
    #expect(try await web.get().data == (isConfirmed ? Self.large : news))
    #expect(web.server.received.count == 2)
  }

  @Test(
    "a confirmation may state the length of the body that it does not have",
    arguments: [large.count, 900], StoreKind.allCases)
  func confirmation(_ length: Int, _ kind: StoreKind) async throws {
    let body = Self.large.prefix(length)
    let web = try Web(over: kind) { request in
      if request.index == 0 { return Self.answer(Self.fresh, body) }
      var confirmed = LocalServer.Answer.status(304, "", Self.fresh)
      confirmed.claimedLength = length
      return confirmed
    }
    defer { web.stop() }
    _ = try await web.stream().body.data()
    web.time.advance(by: 100)
    #expect(try await web.stream().body.data() == body)
    #expect(web.server.received.last?.fields["if-none-match"] == "\"1\"")
    #expect(try await web.get().data == body && web.server.received.count == 2)
    let unstored = try await URLSessionStorage.shared.stream(
      request(web.server.url("/"), "GET", ["If-None-Match": "\"1\""]))
    #expect(unstored.httpUrlResponse.statusCode == 304 && unstored.body.length == 0)
    #expect(try await unstored.body.data().isEmpty)
  }

  @Test(
    "variants have bodies of their own, and an unsafe method removes them all", arguments: StoreKind.allCases)
  func variants(_ kind: StoreKind) async throws {
    let web = try Web(over: kind) { request in
      if request.method == "POST" { return .status(204) }
      let byte = request.fields["x-kind"] == "a" ? UInt8(1) : 2
      return Self.answer(
        ["Cache-Control": "max-age=60", "Vary": "X-Kind"], Data(repeating: byte, count: 2 << 20))
    }
    defer { web.stop() }
    for _ in 0..<2 {
      for (kind, byte) in [("a", UInt8(1)), ("b", 2)] {
        let body = try await web.stream("/", ["X-Kind": kind]).body.data()
        #expect(body == Data(repeating: byte, count: 2 << 20))
      }
    }
    #expect(try await web.keys().count == 3 && web.server.received.count == 2)
    _ = try await web.send("POST")
    #expect(try await web.keys().isEmpty)
  }

  @Test(
    "a download that a change of the URL has overtaken is not stored, nor joined",
    arguments: StoreKind.allCases)
  func overtaken(_ kind: StoreKind) async throws {
    let web = try Web(over: kind) { $0.method == "POST" ? .status(204) : Self.answer(Self.fresh) }
    defer { web.stop() }
    var iterator = try await web.stream().body.makeAsyncIterator()
    _ = try await iterator.next()
    _ = try await web.send("POST")
    let second = try await web.stream()
    while try await iterator.next() != nil {}
    #expect(try await web.keys().isEmpty)
    #expect(web.server.received.count == 3)
    #expect(try await second.body.data() == Self.large)
    #expect(try await web.keys().count == 2)
  }

  @Test("a body that the store has lost is requested again", arguments: StoreKind.allCases)
  func lost(_ kind: StoreKind) async throws {
    let web = try Web(over: kind) { _ in Self.answer(Self.fresh) }
    defer { web.stop() }
    _ = try await web.stream().body.data()
    let key = try #require(await web.keys().first { $0.contains("#") })
    try await web.bytes.removeObject(forKey: key)
    #expect(try await web.stream().body.data() == Self.large)
    #expect(try await web.keys().count == 2 && web.server.received.count == 2)
  }
}

extension Web {
  func keys() async throws -> [String] { try await bytes.keys() }

  func stream(_ path: String = "/", _ fields: [String: String] = [:]) async throws -> StreamedResponse {
    try await cache.stream(request(server.url(path), "GET", fields))
  }
}
