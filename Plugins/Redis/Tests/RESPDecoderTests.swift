import Foundation
import Testing

@testable import StrataRedis

struct RESPDecoderTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let bytes: String
    let value: RESPValue
    var testDescription: String { String(reflecting: bytes.prefix(40)) }

    init(_ bytes: String, _ value: RESPValue) {
      self.bytes = bytes
      self.value = value
    }
  }

  static let samples = [
    Sample("+OK\r\n", .simple("OK")),
    Sample("+\r\n", .simple("")),
    Sample("-WRONGTYPE Operation\r\n", .error(RedisReplyError("WRONGTYPE Operation"))),
    Sample("!10\r\nSYNTAX a\nb\r\n", .error(RedisReplyError("SYNTAX a\nb"))),
    Sample(":0\r\n", .integer(0)),
    Sample(":+17\r\n", .integer(17)),
    Sample(":-9223372036854775808\r\n", .integer(.min)),
    Sample(":9223372036854775807\r\n", .integer(.max)),
    Sample("$0\r\n\r\n", .bulk(Data())),
    Sample("$4\r\na\r\nb\r\n", .bulk(Data("a\r\nb".utf8))),
    Sample("$-1\r\n", .null),
    Sample("*-1\r\n", .null),
    Sample("_\r\n", .null),
    Sample(",1.5\r\n", .double(1.5)),
    Sample(",10\r\n", .double(10)),
    Sample(",-inf\r\n", .double(-.infinity)),
    Sample(",1e-3\r\n", .double(0.001)),
    Sample("#t\r\n", .boolean(true)),
    Sample("#f\r\n", .boolean(false)),
    Sample(
      "(3492890328409238509324850943850943825024385\r\n",
      .bigNumber("3492890328409238509324850943850943825024385")),
    Sample("=8\r\ntxt:Some\r\n", .verbatim(format: "txt", Data("Some".utf8))),
    Sample("*0\r\n", .array([])),
    Sample("*3\r\n:1\r\n$-1\r\n*1\r\n+a\r\n", .array([.integer(1), .null, .array([.simple("a")])])),
    Sample(
      "%2\r\n+a\r\n:1\r\n+b\r\n%0\r\n",
      .map([.simple("a"), .integer(1), .simple("b"), .map([])])),
    Sample("~2\r\n:1\r\n:2\r\n", .set([.integer(1), .integer(2)])),
    Sample(
      ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n",
      .push([.bulk(Data("invalidate".utf8)), .array([.bulk(Data("k".utf8))])])),
    Sample("|1\r\n+ttl\r\n:3600\r\n$1\r\nv\r\n", .bulk(Data("v".utf8))),
    Sample("|0\r\n:1\r\n", .integer(1)),
    Sample("*2\r\n|1\r\n+a\r\n*1\r\n:0\r\n:1\r\n:2\r\n", .array([.integer(1), .integer(2)])),
  ]

  @Test(arguments: samples)
  func decodesAReply(_ sample: Sample) throws {
    var decoder = RESPDecoder()
    decoder.feed(sample.bytes.utf8)
    #expect(try decoder.all() == [sample.value])
  }

  /// A reply, followed by another one, is split at each two places.
  @Test(arguments: samples)
  func decodesASplitReply(_ sample: Sample) throws {
    let bytes = Array((sample.bytes + "+next\r\n").utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = RESPDecoder(bufferSize: 8)
        var values: [RESPValue] = []
        for piece in [bytes[..<first], bytes[first..<second], bytes[second...]] {
          decoder.feed(piece)
          values += try decoder.all()
        }
        #expect(values == [sample.value, .simple("next")], "cut at \(first) and \(second)")
      }
    }
  }

  /// A complete reply is returned with its last byte, not later.
  @Test(arguments: samples)
  func returnsAReplyWithItsLastByte(_ sample: Sample) throws {
    var decoder = RESPDecoder()
    let bytes = Array(sample.bytes.utf8)
    for byte in bytes.dropLast() {
      decoder.feed([byte])
      #expect(try decoder.next() == nil)
    }
    decoder.feed(bytes.suffix(1))
    #expect(try decoder.next() == sample.value)
  }

  @Test(arguments: [
    "\r\n", "\n", "+a\n", "hello\r\n", ":\r\n", ":-\r\n", ":a\r\n", ":1 \r\n", ":9223372036854775808\r\n",
    ":-9223372036854775809\r\n", "$-2\r\n", "$a\r\n", "$?\r\n", "$1\r\nab\r\n", "$2\r\nab\n\r", "*-2\r\n",
    "*a\r\n",
    "*9223372036854775807\r\n", "%9223372036854775807\r\n", ",x\r\n", ",\r\n", "#x\r\n", "=3\r\ntxt\r\n",
    "=4\r\ntxt \r\n", "*1\r\n>1\r\n+a\r\n", "$9223372036854775807\r\n",
  ])
  func refusesMalformedReplies(_ bytes: String) {
    var decoder = RESPDecoder()
    decoder.feed("\(bytes)+OK\r\n".utf8)
    let error = #expect(throws: RESPDecoder.Malformed.self) { try decoder.next() }
    // The start of the next reply is unknown, so the error is permanent.
    decoder.feed("+OK\r\n".utf8)
    if let error { #expect(throws: error) { try decoder.next() } }
  }

  @Test func repliesBeforeMalformedBytesAreReturned() throws {
    var decoder = RESPDecoder()
    decoder.feed("+OK\r\n:x\r\n".utf8)
    #expect(try decoder.next() == .simple("OK"))
    #expect(throws: RESPDecoder.Malformed.self) { try decoder.next() }
  }

  @Test func limitsTheDepth() throws {
    let limits = RESPDecoder.Limits(depth: 5)
    func nested(_ depth: Int) -> String { String(repeating: "*1\r\n", count: depth) + ":1\r\n" }
    var decoder = RESPDecoder(limits: limits)
    decoder.feed(nested(5).utf8)
    #expect(try decoder.next() != nil)
    decoder.feed(nested(6).utf8)
    #expect(throws: RESPDecoder.Malformed.self) { try decoder.next() }
  }

  @Test(arguments: ["+", "-", "*", "$", ":", "("])
  func limitsTheLengthOfLines(_ kind: String) throws {
    var decoder = RESPDecoder(limits: .init(line: 100))
    decoder.feed("\(kind)\(String(repeating: "1", count: 99))".utf8)
    #expect(try decoder.next() == nil)
    decoder.feed("11".utf8)
    #expect(throws: RESPDecoder.Malformed.self) { try decoder.next() }
  }

  @Test(arguments: [
    "$1001\r\n", "!1001\r\n", "=1001\r\n", "*1001\r\n",
    "*2\r\n$500\r\n\(String(repeating: "a", count: 500))\r\n$500\r\n",
    "*900\r\n" + String(repeating: "_\r\n", count: 100),
  ])
  func limitsTheSize(_ bytes: String) {
    var decoder = RESPDecoder(limits: .init(size: 1000))
    decoder.feed(bytes.utf8)
    #expect(throws: RESPDecoder.Malformed.self) { try decoder.next() }
  }

  /// The limit applies to each reply, not to their sum.
  @Test func theSizeLimitAppliesToEachReply() throws {
    var decoder = RESPDecoder(limits: .init(size: 1000))
    for _ in 0..<100 {
      decoder.feed("$500\r\n\(String(repeating: "a", count: 500))\r\n".utf8)
      #expect(try decoder.next() != nil)
    }
  }

  @Test func aLargeTextIsDecodedFromSmallPieces() throws {
    var decoder = RESPDecoder(bufferSize: 1024)
    let text = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
    decoder.feed("$\(text.count)\r\n".utf8)
    for start in stride(from: 0, to: text.count, by: 1000) {
      decoder.feed(text[start..<min(start + 1000, text.count)])
      #expect(try decoder.next() == nil)
    }
    decoder.feed("\r\n+OK\r\n".utf8)
    #expect(try decoder.all() == [.bulk(text), .simple("OK")])
  }

  /// Whether a text is dropped is decided at its first byte, even if `dropsTexts` changes while it arrives.
  @Test(arguments: [false, true], [10, 300_000])
  func dropsATextEntirelyOrNotAtAll(_ drops: Bool, _ size: Int) throws {
    var decoder = RESPDecoder()
    let value = Data(repeating: 7, count: size)
    decoder.dropsTexts = drops
    decoder.feed(Array("$\(size)\r\n".utf8) + value.prefix(size / 2))
    #expect(try decoder.all().isEmpty)
    decoder.dropsTexts = !drops
    decoder.feed(value.dropFirst(size / 2) + "\r\n".utf8)
    #expect(try decoder.all() == [.bulk(drops ? Data() : value)])
    decoder.dropsTexts = false
    decoder.feed("+next\r\n".utf8)
    #expect(try decoder.all() == [.simple("next")])
  }
}
