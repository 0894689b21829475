import Foundation
import Testing

@testable import StrataRedis

struct RedisCommandTests {
  @Test func isAnArrayOfBulkStrings() {
    let command = RedisCommand("SET", "k", .bytes(Data([0, 13, 10])), "PX", 1500)
    #expect(
      command.bytes == Array("*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\n\0\r\n\r\n$2\r\nPX\r\n$4\r\n1500\r\n".utf8))
  }

  @Test(arguments: ["", "é", "a\r\nb", String(repeating: "x", count: 70_000)])
  func countsBytes(_ text: String) {
    let bytes = Array("*2\r\n$4\r\nECHO\r\n$\(text.utf8.count)\r\n\(text)\r\n".utf8)
    #expect(RedisCommand("ECHO", .text(text)).bytes == bytes)
    #expect(RedisCommand("ECHO", .bytes(Data(text.utf8))).bytes == bytes)
  }

  @Test func knowsItsKey() {
    #expect(RedisCommand("GET", "k").key.map(Array.init) == Array("k".utf8))
    #expect(RedisCommand("EVAL", "return 1", 1, "k", keyIndex: 2).key.map(Array.init) == Array("k".utf8))
    #expect(RedisCommand("PING", keyIndex: nil).key == nil)
    #expect(RedisCommand("PING").key == nil)
  }
}
