import Foundation
import Testing

@testable import StrataRedis

struct RedisCommandTests {
  @Test func encodesAnArrayOfBulkStrings() {
    let command = RedisCommand("SET", "k", .bytes(Data([0, 13, 10])), "PX", 1500)
    #expect(
      command.bytes == Array("*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\n\0\r\n\r\n$2\r\nPX\r\n$4\r\n1500\r\n".utf8))
  }

  @Test(
    arguments: ["", "é", "a\r\nb"]
      + [9, 10, 99, 100, 109, 999, 1000, 10_203, 70_000].map { String(repeating: "x", count: $0) })
  func countsLengthsInBytes(_ text: String) {
    let bytes = Array("*2\r\n$4\r\nECHO\r\n$\(text.utf8.count)\r\n\(text)\r\n".utf8)
    #expect(RedisCommand("ECHO", .text(text)).bytes == bytes)
    #expect(RedisCommand("ECHO", .bytes(Data(text.utf8))).bytes == bytes)
  }

  @Test func readsAValueAndItsExpiry() {
    let command = RedisCommand(reading: "GET", .life, .prefixed(Array("s::".utf8), "ke\u{301}y"))
    let key = "$7\r\ns::k\u{E9}y\r\n"
    #expect(command.bytes == Array("*2\r\n$3\r\nGET\r\n\(key)*2\r\n$4\r\nPTTL\r\n\(key)".utf8))
    #expect(command.parts.map(\.bytes).joined().elementsEqual(command.bytes))
    #expect(command.key.map(Array.init) == Array("s::k\u{E9}y".utf8))
    #expect(command.replyCount == 2 && command.isIdempotent)
    let many = RedisCommand(reading: "MGET", .life, ["a", "b"])
    let each = "*2\r\n$4\r\nPTTL\r\n$1\r\na\r\n*2\r\n$4\r\nPTTL\r\n$1\r\nb\r\n"
    #expect(many.bytes == Array("*3\r\n$4\r\nMGET\r\n$1\r\na\r\n$1\r\nb\r\n\(each)".utf8))
    #expect(many.replyCount == 3)
  }

  @Test(arguments: [(Life.endless, ""), (.milliseconds(1500), "$2\r\nPX\r\n$4\r\n1500\r\n")])
  func encodesSET(_ life: Life, _ words: String) {
    let plain = RedisCommand(set: "k", to: Data("v".utf8), life)
    let count = words.isEmpty ? 3 : 5
    let start = "$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n"
    #expect(plain.bytes == Array("*\(count)\r\n\(start)\(words)".utf8))
    let careful = RedisCommand(set: "k", to: Data("v".utf8), life, .inPlaceOfText)
    #expect(careful.bytes == Array("*\(count + 1)\r\n\(start)\(words)$3\r\nGET\r\n".utf8))
    #expect(careful.key.map(Array.init) == Array("k".utf8) && !careful.isIdempotent)
  }

  @Test func encodesGETSET() {
    let command = RedisCommand(set: "k", to: Data("v".utf8), .endless, .inPlaceOfTextForEver)
    #expect(command.bytes == Array("*3\r\n$6\r\nGETSET\r\n$1\r\nk\r\n$1\r\nv\r\n".utf8))
    #expect(command.key.map(Array.init) == Array("k".utf8) && !command.isIdempotent && command.dropsTexts)
  }

  /// A batch has the same bytes as its commands one after the other, in few parts.
  @Test(arguments: [(1, 10, 1), (1000, 10, 1), (1, 600_000, 1), (5, 600_000, 3)])
  func encodesABatch(_ count: Int, _ size: Int, _ partCount: Int) {
    let values = (0..<count).map { number in
      RedisCommand.NewValue(
        key: .text("k\(number)"), value: Data(repeating: UInt8(truncatingIfNeeded: number), count: size),
        life: number % 2 == 0 ? .endless : .milliseconds(9), condition: number % 3 == 0 ? .inPlaceOfText : nil
      )
    }
    let (before, after) = (RedisCommand("PING", keyIndex: nil), RedisCommand("PTTL", "k0"))
    let parts = RedisCommand.transaction([before], storing: values, [after])
    let each = values.map { RedisCommand(set: $0.key, to: $0.value, $0.life, $0.condition) }
    let all = [.begin, before] + each + [after, .end]
    #expect(parts.reduce(into: []) { $0 += $1.bytes } == all.reduce(into: []) { $0 += $1.bytes })
    #expect(parts.replyCount == all.count)
    #expect(parts.allSatisfy { !$0.isIdempotent } && parts[0].dropsTexts)
    #expect(parts.keysWritten.map { String(decoding: $0, as: UTF8.self) } == values.indices.map { "k\($0)" })
    #expect(parts.count == partCount)
  }

  @Test func findsItsKey() {
    #expect(RedisCommand("GET", "k").key.map(Array.init) == Array("k".utf8))
    #expect(RedisCommand("EVAL", "return 1", 1, "k", keyIndex: 2).key.map(Array.init) == Array("k".utf8))
    #expect(RedisCommand("PING", keyIndex: nil).key == nil)
    #expect(RedisCommand("PING").key == nil)
  }
}
