import Foundation
import StrataCore
import StrataRedis
import TestSupport
import Testing

/// Expiry as the server stores it, which the test kit cannot check.
@Suite struct RedisExpiryTests {
  private let server: RedisServer
  private let store: RedisStorage<String>

  init() async throws {
    server = try await RedisServer()
    store = try RedisStorage(config: RedisConfig(addresses: [server.address]), namespace: "s")
  }

  private let soon = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 1000).rounded())

  @Test func datesAreStoredToTheMillisecond() async throws {
    try await store.setObject(text("x"), forKey: "one", expiry: .date(soon))
    try await store.setObjects(["two": text("y")], expiry: .date(soon))
    if !RedisServer.isBefore7 {
      let milliseconds = RawRedis.Reply.integer(Int(soon.timeIntervalSince1970 * 1000))
      #expect(try await server.run("PEXPIRETIME", "s::one") == milliseconds)
      #expect(try await server.run("PEXPIRETIME", "s::two") == milliseconds)
    }
    #expect(try await store.expiryIfPresent(forKey: "one") == .date(soon))
    #expect(try await store.entry(forKey: "one") == Entry(object: text("x"), expiry: .date(soon)))
    #expect(try await store.entries(forKeys: ["two"])["two"] == Entry(object: text("y"), expiry: .date(soon)))
  }

  @Test func entriesExpiredByTheServerAreAbsent() async throws {
    try await store.setObject(text("x"), forKey: "one", expiry: .date(soon))
    try await server.run("PEXPIREAT", "s::one", "1")
    #expect(try await store.entryIfPresent(forKey: "one") == nil)
    #expect(try await store.expiryIfPresent(forKey: "one") == nil)
    #expect(try await store.keys().isEmpty)
  }

  @Test func expiriesSetByOtherProgramsAreRead() async throws {
    try await server.run("SET", "s::one", "plain", "PXAT", "\(Int(soon.timeIntervalSince1970 * 1000))")
    #expect(try await store.object(forKey: "one") == text("plain"))
    #expect(try await store.expiryIfPresent(forKey: "one") == .date(soon))
    try await store.update(forKey: "one") { $0 += text(", changed") }
    #expect(try await server.run("GET", "s::one") == .bulk(text("plain, changed")))
    #expect(try await store.expiryIfPresent(forKey: "one") == .date(soon))
  }

  @Test func readingAnExpiryDoesNotTransferTheValue() async throws {
    try await store.setObject(Data(count: 1 << 20), forKey: "big", expiry: .date(soon))
    let proxy = Proxy(to: server)
    let far = try RedisStorage<String>(config: RedisConfig(addresses: [proxy.address]), namespace: "s")
    #expect(try await far.expiryIfPresent(forKey: "big") == .date(soon))
    #expect(try await far.objectExists(forKey: "big"))
    #expect(proxy.passed(.toClient) < 100_000)
  }

  /// Starts a server without `PEXPIRETIME`, as before Redis 7.
  private func oldServer() async throws -> RedisServer {
    try await RedisServer(RedisServer.isBefore7 ? [] : ["--rename-command", "PEXPIRETIME", ""])
  }

  /// Returns a store on a server without `PEXPIRETIME`.
  private func store(on old: RedisServer, mayRunScripts: Bool) async throws -> RedisStorage<String> {
    try await old.run("ACL", "SETUSER", "careful", "on", "nopass", "~*", "+@all", "-eval")
    var config = RedisConfig(addresses: [old.address])
    if !mayRunScripts { (config.user, config.password) = ("careful", "") }
    return try RedisStorage<String>(config: config, namespace: "s")
  }

  @Test func datesAreExactBeforeRedis7() async throws {
    let old = try await oldServer()
    let store = try await store(on: old, mayRunScripts: true)
    // The number is large enough that the server's clock advances to the next millisecond during one of the
    // computations.
    let dates = Dictionary(
      uniqueKeysWithValues: (0..<500).map { ("\($0)", soon.addingTimeInterval(Double($0) / 1000)) })
    for (key, date) in dates { try await store.setObject(text("x"), forKey: key, expiry: .date(date)) }
    try await store.setObject(text("x"), forKey: "never", expiry: .never)
    for (key, date) in dates {
      #expect(try await store.expiryIfPresent(forKey: key)?.isNear(date) == true)
      #expect(try await store.entry(forKey: key).expiry.isNear(date))
    }
    let found = try await store.entries(forKeys: Array(dates.keys) + ["never", "absent"])
    #expect(found.count == 501)
    for (key, date) in dates { #expect(found[key]?.expiry.isNear(date) == true) }
    #expect(found["never"] == Entry(object: text("x")))
    #expect(try await store.expiryIfPresent(forKey: "never") == .never)
    #expect(try await store.expiryIfPresent(forKey: "absent") == nil)
    try await old.run("RPUSH", "s::list", "element")
    #expect(await failure { try await store.entryIfPresent(forKey: "list") } == .malformedFileAttributes)
  }

  @Test func datesAreApproximateBeforeRedis7WithoutScripts() async throws {
    let old = try await oldServer()
    let store = try await store(on: old, mayRunScripts: false)
    try await store.setObject(text("x"), forKey: "one", expiry: .date(soon))
    try await store.setObject(text("x"), forKey: "two", expiry: .never)
    // The date is computed from the remaining time, and is late by the time of the round trip.
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

  @Test func aReadReturnsAValueWithItsOwnExpiry() async throws {
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

extension Expiry {
  /// Whether the expiry is a date, to the millisecond: the server's resolution.
  fileprivate func isNear(_ other: Date) -> Bool {
    guard case .date(let date) = self else { return false }
    return abs(date.timeIntervalSince(other)) < 0.0005
  }
}
