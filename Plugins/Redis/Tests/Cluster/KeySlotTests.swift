import Foundation
import TestSupport
import Testing

@testable import StrataRedis

/// The slots of keys in a cluster.
@Suite struct KeySlotTests {
  private func slot(_ key: String) -> Int { KeySlot(of: Array(key.utf8)).number }

  @Test(arguments: [
    ("", 0), ("123456789", 0x31C3), ("foo", 12_182), ("bar", 5061), ("hello", 866),
  ])
  func knownKeysHaveTheirSlots(_ key: String, _ number: Int) { #expect(slot(key) == number) }

  @Test(arguments: [
    ("{user1000}.following", "user1000"), ("foo{bar}{zap}", "bar"), ("foo{{bar}}zap", "{bar"),
    ("}{a}", "a"), ("{a", "{a"), ("a}", "a}"), ("{}", "{}"), ("foo{}{bar}", "foo{}{bar}"), ("{é}x", "é"),
  ])
  func aHashTagDeterminesTheSlot(_ key: String, _ tag: String) {
    let tagged = KeySlot(of: Array(key.utf8))
    // A key without a tag has the slot of all its bytes.
    #expect(tagged.number == (tag == key ? slot(whole: key) : slot(tag)))
  }

  /// Returns the slot of all bytes of a key, computed bit by bit.
  private func slot(whole key: String) -> Int {
    var crc = 0
    for byte in key.utf8 {
      crc ^= Int(byte) << 8
      for _ in 0..<8 { crc = crc & 0x8000 == 0 ? crc << 1 : (crc << 1 ^ 0x1021) & 0xFFFF }
    }
    return crc % KeySlot.count
  }

  @Test func slotsAgreeWithTheServers() async throws {
    let server = try await RedisServer(["--cluster-enabled", "yes"])
    let line = try server.raw()
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let letters = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
        "ab{}{}é\u{0}".randomElement(using: &generator) ?? "a"
      }
      let key = String(letters)
      let reply = try line.run("CLUSTER", "KEYSLOT", key)
      #expect(reply == .integer(slot(key)), "the key \(key.debugDescription)")
    }
  }

  @Test func numbersOutOfRangeAreRefused() {
    #expect(KeySlot(number: 16_384) == nil)
    #expect(KeySlot(number: -1) == nil)
    #expect(KeySlot(number: 16_383)?.number == 16_383)
  }
}
