import Foundation
import Testing

@testable import StrataRedis

struct RedisCommandTests {
  @Test func isAnArrayOfBulkStrings() {
    let command = RedisCommand("SET", "k", .bytes(Data([0, 13, 10])), "PX", 1500)
    #expect(
      command.bytes == Array("*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\n\0\r\n\r\n$2\r\nPX\r\n$4\r\n1500\r\n".utf8))
  }

  @Test(
    arguments: ["", "é", "a\r\nb"]
      + [9, 10, 99, 100, 109, 999, 1000, 10_203, 70_000].map { String(repeating: "x", count: $0) })
  func countsBytes(_ text: String) {
    let bytes = Array("*2\r\n$4\r\nECHO\r\n$\(text.utf8.count)\r\n\(text)\r\n".utf8)
    #expect(RedisCommand("ECHO", .text(text)).bytes == bytes)
    #expect(RedisCommand("ECHO", .bytes(Data(text.utf8))).bytes == bytes)
  }

  @Test func readsAKeyTwice() {
    let command = RedisCommand(reading: "GET", "PTTL", .prefixed(Array("s::".utf8), "ke\u{301}y"))
    let key = "$7\r\ns::k\u{E9}y\r\n"
    #expect(command.bytes == Array("*2\r\n$3\r\nGET\r\n\(key)*2\r\n$4\r\nPTTL\r\n\(key)".utf8))
    #expect(command.parts.map(\.bytes).joined().elementsEqual(command.bytes))
    #expect(command.key.map(Array.init) == Array("s::k\u{E9}y".utf8))
    #expect(command.replyCount == 2 && command.isIdempotent)
    let many = RedisCommand(reading: "MGET", "PTTL", ["a", "b"])
    let each = "*2\r\n$4\r\nPTTL\r\n$1\r\na\r\n*2\r\n$4\r\nPTTL\r\n$1\r\nb\r\n"
    #expect(many.bytes == Array("*3\r\n$4\r\nMGET\r\n$1\r\na\r\n$1\r\nb\r\n\(each)".utf8))
    #expect(many.replyCount == 3)
  }

  @Test(arguments: [(Life.endless, ""), (.milliseconds(1500), "$2\r\nPX\r\n$4\r\n1500\r\n")])
  func stores(_ life: Life, _ words: String) {
    let plain = RedisCommand(set: "k", to: Data("v".utf8), life)
    let count = words.isEmpty ? 3 : 5
    let start = "$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n"
    #expect(plain.bytes == Array("*\(count)\r\n\(start)\(words)".utf8))
    let careful = RedisCommand(set: "k", to: Data("v".utf8), life, .inPlaceOfText)
    #expect(careful.bytes == Array("*\(count + 1)\r\n\(start)\(words)$3\r\nGET\r\n".utf8))
    #expect(careful.key.map(Array.init) == Array("k".utf8) && !careful.isIdempotent)
  }

  @Test func knowsItsKey() {
    #expect(RedisCommand("GET", "k").key.map(Array.init) == Array("k".utf8))
    #expect(RedisCommand("EVAL", "return 1", 1, "k", keyIndex: 2).key.map(Array.init) == Array("k".utf8))
    #expect(RedisCommand("PING", keyIndex: nil).key == nil)
    #expect(RedisCommand("PING").key == nil)
  }
}
