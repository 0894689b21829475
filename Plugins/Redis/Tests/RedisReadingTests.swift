import Foundation
import Strata
import StrataRedis
import TestSupport
import Testing

/// Values stored and read by other programs; replies that are too large.
@Suite(.timeLimit(.minutes(10))) struct RedisReadingTests {
  private let server: RedisServer
  private let store: RedisStorage<String>

  init() async throws {
    server = try await RedisServer()
    store = try RedisStorage(
      config: RedisConfig(addresses: [server.address], timeout: .seconds(60)), namespace: "numbers")
  }

  private func date(_ expiry: Expiry?) -> Date? {
    if case .date(let date)? = expiry { return date }
    return nil
  }

  @Test("memory in front respects expiries that other clients set") func lifeOfOthers()
    async throws
  {
    let peer = try Peer(server.address)
    let latest = { Date().addingTimeInterval(100.1) }
    try await server.run("SET", "numbers::a", "1", "PX", "100000")
    #expect(try await peer.warm("a") == 1)
    let kept = try await #require(date(try peer.memory.entryIfPresent(forKey: "a")?.expiry))
    #expect(kept <= latest())
    // The expiry of a value that never expired is shortened later.
    try await server.run("SET", "numbers::b", "1")
    #expect(try await peer.warm("b") == 1)
    await #expect(try peer.memory.entryIfPresent(forKey: "b")?.expiry == .never)
    try await server.run("PEXPIRE", "numbers::b", "100000")
    await until { peer.chain.peek(forKey: "b") == nil }
    #expect(try await peer.warm("b") == 1)
    let shorter = try await #require(date(try peer.memory.entryIfPresent(forKey: "b")?.expiry))
    #expect(shorter <= latest())
    for entry in try await peer.redis.entries(forKeys: ["a", "b"]).values {
      #expect(try #require(date(entry.expiry)) <= latest())
    }
  }

  @Test("of the date appended to a value and the server's expiry, the earlier counts") func earlierDate()
    async throws
  {
    let near = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 1000).rounded())
    let far = near.addingTimeInterval(1000)
    func milliseconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970 * 1000) }
    for (own, servers) in [(near, far), (far, near)] {
      // A value with its date appended, as earlier versions stored it.
      let stamp =
        withUnsafeBytes(of: milliseconds(own).bigEndian) { Data($0) } + Data([0xFF, 0x53, 0x74, 0xFF])
      _ = try server.raw().run([
        text("SET"), text("numbers::a"), text("1") + stamp, text("PXAT"), text("\(milliseconds(servers))"),
      ])
      let expected = Entry(object: text("1"), expiry: .date(near))
      #expect(try await store.entryIfPresent(forKey: "a") == expected)
      #expect(try await store.entries(forKeys: ["a"]) == ["a": expected])
    }
    // After `touch`, its expiry counts.
    #expect(try await store.touch(forKey: "a", expiry: .date(far)))
    #expect(try await store.entryIfPresent(forKey: "a") == Entry(object: text("1"), expiry: .date(far)))
  }

  @Test("values are stored unchanged, also if they expire") func plainValues() async throws {
    try await store.setObject(text("one"), forKey: "a", expiry: .seconds(100))
    try await store.setObjects(["b": text("two"), "c": text("three")], expiry: .date(Date() + 100))
    try await store.update(forKey: "b") { $0 += text("!") }
    for (key, value) in [("a", "one"), ("b", "two!"), ("c", "three")] {
      #expect(try await server.run("GET", "numbers::\(key)") == .bulk(text(value)))
      guard case .integer(let left) = try await server.run("PTTL", "numbers::\(key)") else {
        throw Failure.first
      }
      #expect(0 < left && left <= 100_000)
    }
  }

  @Test("a write is one SET, also if its expiry is past: then the entry is absent") func clocks() async throws
  {
    try await store.setObject(text("x"), forKey: "past", expiry: .date(.distantPast))
    #expect(try await server.run("EXISTS", "numbers::past") == .integer(0))
    try await store.setObject(text("x"), forKey: "life", expiry: .seconds(1000))
    let commands = try await server.run("INFO", "commandstats").text ?? ""
    #expect(commands.contains("cmdstat_set:calls=2,"))
  }

  @Test("a value alone is read without its expiry; the expiry of the old format counts") func valueAlone()
    async throws
  {
    try await store.setObject(text("one"), forKey: "a", expiry: .seconds(1000))
    #expect(try await store.object(forKey: "a") == text("one"))
    #expect(try await store.objectIfPresent(forKey: "none") == nil)
    #expect(await failure { try await store.object(forKey: "none") } == .notFound)
    #expect(try await server.run("INFO", "commandstats").text?.contains("pexpiretime") == false)
    // A value with a past date appended, as earlier versions stored it.
    let past = withUnsafeBytes(of: 1000.bigEndian) { Data($0) } + Data([0xFF, 0x53, 0x74, 0xFF])
    _ = try server.raw().run([text("SET"), text("numbers::old"), text("1") + past])
    #expect(try await store.objectIfPresent(forKey: "old") == nil)
    try await server.run("RPUSH", "numbers::list", "x")
    #expect(await failure { try await store.objectIfPresent(forKey: "list") } == .malformedFileAttributes)
  }

  @Test("a batch whose reply is too large is read in parts") func largeBatch() async throws {
    let proxy = Proxy(to: server)
    let small = try RedisStorage<String>(
      config: RedisConfig(addresses: [proxy.address], timeout: .seconds(60), maximumReplySize: 2 << 20),
      namespace: "numbers")
    let objects = Dictionary(
      uniqueKeysWithValues: (0..<21).map { ("\($0)", Data(repeating: UInt8($0), count: 500_000)) })
    try await small.setObjects(objects, expiry: nil)
    #expect(try await small.entries(forKeys: Array(objects.keys) + ["none"]).mapValues(\.object) == objects)
    try await store.setObject(Data(count: 3 << 20), forKey: "large")
    for error in [
      await failure { try await small.object(forKey: "large") },
      await failure { try await small.entries(forKeys: ["1", "large"]) },
    ] {
      #expect(error == .tooLarge)
      #expect(error?.message.contains("maximumReplySize") == true)
    }
    // The shared connection is unaffected.
    #expect(try await small.object(forKey: "1") == objects["1"])
    #expect(proxy.accepted == 1)
  }

  @Test(
    "a batch returns each expiry, although it requests none if no key expires", arguments: [true, false])
  func undatedBatch(_ maySee: Bool) async throws {
    if !maySee {
      try await server.run("ACL", "SETUSER", "default", "-info")
    }
    let keys = (0..<40).map { "\($0)" }
    let objects = Dictionary(uniqueKeysWithValues: keys.map { ($0, text("value \($0)")) })
    try await store.setObjects(objects, expiry: nil)
    #expect(try await store.entries(forKeys: keys + ["none"]) == objects.mapValues { Entry(object: $0) })
    // A key of another program expires, so the expiries of the batch must be read.
    try await server.run("SET", "other", "x", "PX", "100000")
    #expect(try await store.entries(forKeys: keys) == objects.mapValues { Entry(object: $0) })
    try await server.run("PEXPIRE", "numbers::7", "100000")
    let entries = try await store.entries(forKeys: keys)
    #expect(entries["7"]?.expiry != .never && entries["8"]?.expiry == .never)
    // A key that holds no string is not treated as absent.
    try await server.run("FLUSHALL")
    try await server.run("RPUSH", "numbers::7", "x")
    let fresh = try RedisStorage<String>(
      config: RedisConfig(addresses: [server.address]), namespace: "numbers")
    #expect(await failure { try await fresh.entries(forKeys: keys) } == .malformedFileAttributes)
  }
}
