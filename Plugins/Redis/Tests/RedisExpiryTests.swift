import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

/// Expiry as the server stores it, which the test kit does not check.
@Suite struct RedisExpiryTests {
  private let server: RedisServer
  private let store: RedisStorage<String>

  init() async throws {
    server = try await RedisServer()
    store = try RedisStorage(config: RedisConfig(addresses: [server.address]), namespace: "s")
  }

  private let soon = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 1000).rounded())

  @Test func theServerKnowsTheMillisecond() async throws {
    try await store.setObject(text("x"), forKey: "one", expiry: .date(soon))
    try await store.setObjects(["two": text("y")], expiry: .date(soon))
    let milliseconds = RawRedis.Reply.integer(Int(soon.timeIntervalSince1970 * 1000))
    #expect(try await server.run("PEXPIRETIME", "s::one") == milliseconds)
    #expect(try await server.run("PEXPIRETIME", "s::two") == milliseconds)
    #expect(try await store.expiryIfPresent(forKey: "one") == .date(soon))
    #expect(try await store.entry(forKey: "one") == Entry(object: text("x"), expiry: .date(soon)))
    #expect(try await store.entries(forKeys: ["two"])["two"] == Entry(object: text("y"), expiry: .date(soon)))
  }

  @Test func whatTheServerHasRemovedIsGone() async throws {
    try await store.setObject(text("x"), forKey: "one", expiry: .date(soon))
    try await server.run("PEXPIREAT", "s::one", "1")
    #expect(try await store.entryIfPresent(forKey: "one") == nil)
    #expect(try await store.expiryIfPresent(forKey: "one") == nil)
    #expect(try await store.keys().isEmpty)
  }

  @Test func aValueOfAnothersExpiresByItsDateToo() async throws {
    try await server.run("SET", "s::one", "plain", "PXAT", "\(Int(soon.timeIntervalSince1970 * 1000))")
    #expect(try await store.object(forKey: "one") == text("plain"))
    #expect(try await store.expiryIfPresent(forKey: "one") == .date(soon))
    try await store.update(forKey: "one") { $0 += text(", changed") }
    #expect(try await server.run("GET", "s::one") == .bulk(text("plain, changed")))
    #expect(try await store.expiryIfPresent(forKey: "one") == .date(soon))
  }

  @Test func theReadOfAnExpiryDoesNotReadTheValue() async throws {
    try await store.setObject(Data(count: 1 << 20), forKey: "big", expiry: .date(soon))
    let proxy = Proxy(to: server)
    let far = try RedisStorage<String>(config: RedisConfig(addresses: [proxy.address]), namespace: "s")
    #expect(try await far.expiryIfPresent(forKey: "big") == .date(soon))
    #expect(try await far.objectExists(forKey: "big"))
    #expect(proxy.passed(.toClient) < 100_000)
  }

  @Test func aServerThatCannotTellADateGivesTheEntrys() async throws {
    // As before Redis 7.
    let old = try await RedisServer(["--rename-command", "PEXPIRETIME", ""])
    let store = try RedisStorage<String>(config: RedisConfig(addresses: [old.address]), namespace: "s")
    try await store.setObject(text("x"), forKey: "one", expiry: .date(soon))
    try await store.setObject(text("x"), forKey: "two", expiry: .never)
    // It returns the remaining time: the date is later by the time of the round trip.
    guard case .date(let date)? = try await store.expiryIfPresent(forKey: "one") else {
      Issue.record("no date")
      return
    }
    #expect(date > soon.addingTimeInterval(-0.01) && date < soon.addingTimeInterval(60))
    #expect(try await store.entry(forKey: "one").object == text("x"))
    #expect(try await store.expiryIfPresent(forKey: "two") == .never)
    #expect(try await store.entry(forKey: "two") == Entry(object: text("x")))
    #expect(try await store.expiryIfPresent(forKey: "three") == nil)
    #expect(try await store.entries(forKeys: ["one", "two", "three"]).count == 2)
  }

  @Test func valueAndExpiryBelongTogether() async throws {
    // Two writers alternate values with different dates: no read may return one's value with the other's date.
    let dates = [soon, soon.addingTimeInterval(500)]
    let store = store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for _ in 0..<300 {
            try await store.setObject(text("\(writer)"), forKey: "one", expiry: .date(dates[writer]))
          }
        }
      }
      group.addTask {
        for _ in 0..<600 {
          guard let entry = try await store.entryIfPresent(forKey: "one") else { continue }
          let writer = try #require(Int(String(decoding: entry.object, as: UTF8.self)))
          #expect(entry.expiry == .date(dates[writer]))
        }
      }
      try await group.waitForAll()
    }
  }
}
