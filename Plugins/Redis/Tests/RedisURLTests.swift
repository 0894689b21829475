import StrataCore
import Testing

@testable import StrataRedis

struct RedisURLTests {
  @Test func aURLWithAHost() throws {
    let config = try RedisConfig(url: "redis://redis.example")
    #expect(config.addresses == [RedisAddress(host: "redis.example", port: 6379)])
    #expect(config.user == nil && config.password == nil && config.database == 0 && config.tls == nil)
  }

  @Test func aURLWithAllParts() throws {
    let config = try RedisConfig(url: "rediss://ada:p%40ss%3Aword@redis.example:7000/12")
    #expect(config.addresses == [RedisAddress(host: "redis.example", port: 7000)])
    #expect(config.user == "ada")
    #expect(config.password == "p@ss:word")
    #expect(config.database == 12)
    #expect(config.tls != nil)
  }

  @Test(arguments: ["redis://:secret@h", "redis://:secret@h/", "REDIS://:secret@h/0"])
  func aPasswordAlone(_ url: String) throws {
    let config = try RedisConfig(url: url)
    #expect(config.user == nil)
    #expect(config.password == "secret")
    #expect(config.addresses == [RedisAddress(host: "h")])
  }

  @Test func urlsWithIPAddresses() throws {
    #expect(try RedisConfig(url: "redis://10.0.0.1:1").addresses == [RedisAddress(host: "10.0.0.1", port: 1)])
    let six = try RedisConfig(url: "redis://[fe80::1]:6380").addresses
    #expect(six == [RedisAddress(host: "fe80::1", port: 6380)])
    #expect(six.first?.description == "[fe80::1]:6380")
  }

  @Test func aURLOfASocket() throws {
    let config = try RedisConfig(url: "unix:///run/redis.sock?db=2")
    #expect(config.addresses == [RedisAddress(path: "/run/redis.sock")])
    #expect(config.database == 2)
    #expect(try RedisConfig(url: "unix://:secret@/run/redis.sock").password == "secret")
  }

  @Test(arguments: [
    "", "localhost", "http://:secret@h", "redis://", "redis://:secret@", "redis://:secret@h:0",
    "redis://:secret@h:70000",
    "redis://:secret@h/one", "redis://:secret@h/-1", "unix://:secret@run", "unix://", "unix:///s?db=x",
    "redis://:secret@h:x",
  ])
  func invalidURLsAreRefused(_ url: String) {
    let error = #expect(throws: StorageError.invalidConfiguration) { try RedisConfig(url: url) }
    #expect(error?.description.contains("secret") == false)
  }
}
