import Foundation
import StrataCore
import StrataDisk
import TestSupport
import Testing

@testable import StrataHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Bodies that are too large for the store, and stored bodies that are damaged.
@Suite(.endsInTime) struct HTTPCacheRefusalTests {
  static let large = noise(5 << 20)

  /// A store that refuses values of more than a megabyte and a half: while they arrive, or when they are committed.
  enum Refusal: CaseIterable {
    case parts, disk, wholeValues

    var store: any StorageAware<String, Data> {
      get throws {
        switch self {
        case .parts:
          let parts = PartStorage()
          parts.limit(1_500_000)
          return parts
        case .disk:
          return try DiskStorage<String>(
            config: DiskConfig(name: "small", maxSize: 1_500_000, directory: TemporaryFolder().url))
        case .wholeValues: return SmallStorage(limit: 1_500_000)
        }
      }
    }
  }

  private static func answer(_ fields: [String: String], _ bytes: Data, hasLength: Bool) -> LocalServer.Answer
  {
    if hasLength { return .init(fields: fields.map { ($0.key, $0.value) }, bytes: Array(bytes)) }
    let head = fields.map { "\($0.key): \($0.value)\r\n" }.joined()
    return .init(raw: "HTTP/1.1 200 OK\r\n\(head)\r\n" + String(repeating: "a", count: bytes.count))
  }

  @Test(
    "a body that the store refuses is returned, and not stored", arguments: Refusal.allCases, [true, false])
  func refused(_ refusal: Refusal, _ hasLength: Bool) async throws {
    let old = Data("old".utf8)
    let web = try Web(base: refusal.store) { request in
      request.index == 0
        ? .init(fields: [("Cache-Control", "max-age=60")], bytes: Array(old))
        : Self.answer(["Cache-Control": "max-age=60"], Self.large, hasLength: hasLength)
    }
    defer { web.stop() }
    let body = hasLength ? Self.large : Data(repeating: 0x61, count: Self.large.count)
    #expect(try await web.stream().body.data() == old)
    for number in 2...3 {
      let response = try await web.stream("/", ["Cache-Control": "no-cache"])
      #expect(try await response.body.data() == body)
      #expect(web.server.received.count == number)
      // Neither the new response nor the one that it replaces.
      #expect(try await web.keys() == [])
    }
    #expect(try await web.get().data == body)
    // `PartStorage` limits streams only.
    if refusal != .parts { #expect(try await web.keys() == []) }
  }

  /// Of the longer body not all of the parts that the slow reader misses are kept in memory.
  @Test(
    "readers of one download go on at their own pace", arguments: Refusal.allCases, [5 << 20, 12 << 20])
  func shared(_ refusal: Refusal, _ length: Int) async throws {
    let body = noise(length)
    let web = try Web(base: refusal.store) { _ in
      Self.answer(["Cache-Control": "max-age=60", "ETag": "\"1\""], body, hasLength: true)
    }
    defer { web.stop() }
    let slow = try await web.stream()
    var iterator = slow.body.makeAsyncIterator()
    var read = try #require(try await iterator.next())
    let others = try await (0..<3).asyncMap { _ in try await web.stream() }
    for response in others { #expect(try await response.body.data() == body) }
    while let part = try await iterator.next() { read += part }
    #expect(read == body)
    #expect(try await web.keys() == [])
  }

  @Test("a reader that is too far behind fails if the origin's body is not known to be the same")
  func changedMeanwhile() async throws {
    let body = noise(12 << 20)
    let web = try Web(base: Refusal.parts.store) { request in
      Self.answer(["Cache-Control": "max-age=60", "ETag": "\"\(request.index)\""], body, hasLength: true)
    }
    defer { web.stop() }
    var slow = try await web.stream().body.makeAsyncIterator()
    _ = try await slow.next()
    let fast = try await web.stream()
    #expect(try await fast.body.data() == body)
    let error = await failure { while try await slow.next() != nil {} }
    #expect(error == .backendFailed)
    #expect(error?.message.contains("send the request again") == true)
  }

  enum Damage: CaseIterable { case first, middle, last }

  @Test("where a stored body is damaged, the rest comes from the origin", arguments: Damage.allCases)
  func damaged(_ damage: Damage) async throws {
    let web = try Web(over: .disk) { _ in
      Self.answer(["Cache-Control": "max-age=60", "ETag": "\"1\""], Self.large, hasLength: true)
    }
    defer { web.stop() }
    _ = try await web.stream().body.data()
    try await self.damage(web, at: damage == .first ? 0 : damage == .middle ? 2 << 20 : Self.large.count - 1)
    #expect(try await web.stream().body.data() == Self.large)
    #expect(web.server.received.count == 2)
    #expect(web.troubles.value.map(\.code) == [StorageError.malformedFileAttributes.code])
    // The response is stored again.
    for _ in 0..<2 { #expect(try await web.stream().body.data() == Self.large) }
    #expect(web.server.received.count == 3)
    #expect(try await web.keys().count == 2)
    try await self.damage(web, at: 3 << 20)
    let part = try await web.stream("/", ["Range": "bytes=3000000-4000000"])
    #expect(try await part.body.data() == Self.large[3_000_000...4_000_000])
    try await self.damage(web, at: 3 << 20, stored: false)
    #expect(try await web.get().data == Self.large)
  }

  @Test("the origin's body must be the same one", arguments: ["W/\"1\"", "\"2\"", ""])
  func changed(_ tag: String) async throws {
    let web = try Web(over: .disk) { request in
      Self.answer(
        ["Cache-Control": "max-age=60", "ETag": request.index == 0 && tag == "\"2\"" ? "\"1\"" : tag],
        Self.large,
        hasLength: true)
    }
    defer { web.stop() }
    _ = try await web.stream().body.data()
    try await damage(web, at: 2 << 20)
    let error = await failure { _ = try await web.stream().body.data() }
    #expect(error == .backendFailed)
    #expect(try await web.stream().body.data() == Self.large)
  }

  /// Flips a bit of the file with the body.
  private func damage(_ web: Web, at offset: Int, stored: Bool = true) async throws {
    if !stored { _ = try await web.stream().body.data() }
    let key = try #require(await web.keys().first { $0.contains("#") })
    let url = try #require(try await web.bytes.fileURL(forKey: key)).url
    let file = try FileHandle(forUpdating: url)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data([~Self.large[offset]]))
    try file.close()
  }
}

/// A store in memory that refuses large values as a whole.
private final class SmallStorage: SimpleStorage {
  private let base = DictionaryStorage<String, Data>()
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var clock: StorageClock { base.clock }

  func entryIfPresent(forKey key: String) async throws -> Entry<Data>? {
    try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) async throws {
    if object.count > limit { throw StorageError.tooLarge }
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws { try await base.removeObject(forKey: key) }
  func removeAll() async throws { try await base.removeAll() }
  func removeExpiredObjects() async throws { try await base.removeExpiredObjects() }
  func keys() async throws -> [String] { try await base.keys() }
}

extension Sequence {
  fileprivate func asyncMap<R>(_ body: (Element) async throws -> R) async rethrows -> [R] {
    var results: [R] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
