import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRedis

/// Several namespaces on one server.
@Suite struct NamespaceTests {
  @Test(arguments: ["", ":", "a:", "a::b", "::", "a::", ":::"])
  func ambiguousNamesAreRefused(_ name: String) async {
    let error = await failure { try RedisStorage<String>(namespace: name) }
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("is not a valid namespace") == true)
  }

  /// Names and keys that would collide, or match each other as patterns, if they were joined or escaped carelessly.
  private static let names = [
    "a", "a:b", ":a", "b", "*", "?", "[ab]", "[^a]", "a*", "\\", "\\*", "{a}", "{", "a b", "é", "a-b", "A",
    "^a",
  ]
  private static let keys = [
    "", ":", "::", ":::", "b::c", ":b::c", "a", "a::a", "*", "{a}", "\\", "é", "[ab]::x",
  ]

  @Test func namespacesShareNoKeys() async throws {
    let server = try await RedisServer()
    let client = RedisClient(config: RedisConfig(addresses: [server.address]))
    let stores = try Self.names.map { try RedisStorage<String>(client: client, namespace: $0) }
    for (name, store) in zip(Self.names, stores) {
      for key in Self.keys { try await store.setObject(text("\(name) \(key)"), forKey: key) }
    }
    #expect(try await server.run("DBSIZE") == .integer(Self.names.count * Self.keys.count))
    for (name, store) in zip(Self.names, stores) {
      #expect(try await Set(store.keys()) == Set(Self.keys))
      for key in Self.keys { #expect(try await store.object(forKey: key) == text("\(name) \(key)")) }
    }
    for (index, store) in stores.enumerated() {
      try await store.removeAll()
      #expect(try await store.keys().isEmpty)
      #expect(try await server.run("DBSIZE") == .integer((Self.names.count - index - 1) * Self.keys.count))
    }
  }

  @Test func keysOfOtherNamespacesAreNotDecoded() throws {
    let namespace = try Namespace("a:b")
    let key: String? = namespace.key(text("a:b::c::d"))
    #expect(key == "c::d")
    for word in ["a:b:c", "a:c::d", "x:b::c", "a:b", "", "a:b:", "aa:b::c"] {
      let key: String? = namespace.key(text(word))
      #expect(key == nil, "\(word)")
    }
  }

  @Test func otherProgramsFindEntriesByNamespaceAndKey() async throws {
    let server = try await RedisServer()
    let store = try RedisStorage<Int>(
      config: RedisConfig(addresses: [server.address]), namespace: "shop:carts")
    try await store.setObject(text("{}"), forKey: 17)
    #expect(try await server.run("GET", "shop:carts::17") == .bulk(text("{}")))
    try await server.run("SET", "shop:carts::18", "by hand")
    #expect(try await store.object(forKey: 18) == text("by hand"))
  }

  @Test func keysThatTheTypeCannotDecodeAreNotListed() async throws {
    let server = try await RedisServer()
    let config = RedisConfig(addresses: [server.address])
    let numbers = try RedisStorage<Int>(config: config, namespace: "n")
    let texts = try RedisStorage<String>(config: config, namespace: "n")
    try await texts.setObjects(["1": text("a"), "01": text("b"), "x": text("c")], expiry: nil)
    try await numbers.setObject(text("d"), forKey: 2)
    // A key that is not valid UTF-8, and a text that is not in canonical form.
    let raw = try server.raw()
    _ = try raw.run([text("SET"), text("n::") + Data([0xC3, 0x28]), text("e")])
    _ = try raw.run([text("SET"), text("n::e\u{301}"), text("f")])
    #expect(try await Set(numbers.keys()) == [1, 2])
    #expect(try await Set(texts.keys()) == ["1", "01", "x", "2"])
    // `removeAll` also removes the keys that the type cannot decode.
    try await numbers.removeAll()
    #expect(try await server.run("DBSIZE") == .integer(0))
  }

  @Test func removeAllSendsOnlyShortCommands() async throws {
    let server = try await RedisServer()
    let config = RedisConfig(addresses: [server.address])
    let store = try RedisStorage<Int>(config: config, namespace: "many")
    try await server.run("SET", "other", "stays")
    try await store.setObjects(
      Dictionary(uniqueKeysWithValues: (0..<5000).map { ($0, text("\($0)")) }), expiry: nil)
    try await store.removeAll()
    #expect(try await server.run("KEYS", "*") == .array([.bulk(text("other"))]))
    // Every command was short: no KEYS, FLUSH or DEL, and never more keys than one scan returns.
    let used = try await server.run("INFO", "commandstats").text ?? ""
    for command in ["flushdb", "flushall", "del:", "eval"] { #expect(!used.contains("cmdstat_\(command)")) }
    let calls = used.split(separator: "\r\n").first { $0.hasPrefix("cmdstat_unlink:") }?.dropFirst(21).prefix
    { $0 != "," }
    #expect(try #require(calls.flatMap { Int($0) }) >= 4)
  }
}
