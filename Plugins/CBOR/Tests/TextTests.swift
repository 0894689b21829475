import Foundation
import StrataCBOR
import TestSupport
import Testing

/// Short and long texts, which are validated in different ways.
@Suite("CBOR texts", .endsInTime) struct TextTests {
  private static let broken: [[UInt8]] = [
    [0x80], [0xc0, 0x80], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x8f, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80],
    [0xff], [0xef, 0xbf],
  ]

  private func item(_ text: [UInt8]) -> Data {
    Data([0x79, UInt8(text.count >> 8), UInt8(text.count & 0xff)] + text)
  }

  @Test("texts of any length are read unchanged", arguments: ["ß", "水", "😀", "a\u{301}", "\u{FFFD}"])
  func whole(_ letter: String) throws {
    for count in [0, 1, 2, 31, 60, 84, 85, 86, 126, 127, 128, 129, 255, 256, 257] {
      let text = "x" + String(repeating: letter, count: count)
      #expect(try CBORDecoder().decode(String.self, from: item(Array(text.utf8))) == text)
    }
  }

  @Test("a text that is not UTF-8 is refused and never repaired", arguments: broken)
  func refused(_ bytes: [UInt8]) {
    for padding in [0, 1, 7, 200, 250, 255, 256, 300] {
      let around = [UInt8](repeating: 0x61, count: padding)
      for text in [around + bytes, bytes + around, around + bytes + around] {
        #expect(throws: DecodingError.self) { try CBORDecoder().decode(String.self, from: item(text)) }
      }
    }
  }

  /// The first and last byte of each range that the table of well-formed UTF-8 distinguishes.
  private static let edges: [UInt8] = [
    0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4,
    0xf5,
  ]

  @Test("the standard library and the decoder agree on which bytes are UTF-8")
  func agreement() throws {
    let pairs = (UInt8.min ... .max).flatMap { first in Self.edges.map { [first, $0] } }
    let triples = Self.edges.flatMap { one in Self.edges.flatMap { two in Self.edges.map { [one, two, $0] } }
    }
    let quadruples = triples.filter { $0[0] >= 0xf0 }.flatMap { bytes in Self.edges.map { bytes + [$0] } }
    for (number, bytes) in (pairs + triples + quadruples).enumerated() {
      // At all distances from the words of eight bytes that the check reads.
      let text =
        [UInt8](repeating: 0x61, count: number % 9) + bytes + [UInt8](repeating: 0x62, count: number % 7)
      let read: String?
      do { read = try CBORDecoder().decode(String.self, from: item(text)) } catch is DecodingError {
        read = nil
      }
      let isText = String(validating: text, as: UTF8.self) != nil
      if read.map({ Array($0.utf8) }) != (isText ? text : nil) {
        Issue.record("\(text) was read as \(read ?? "no text")")
      }
    }
  }

  @Test("a decoded text is compared, hashed and changed like any other")
  func usable() throws {
    for text in [
      "plain letters, more than fifteen", "Größe: mehr als fünfzehn", "水", "a", "e\u{301}", "\u{e9}",
    ] {
      let read = try CBORDecoder().decode(String.self, from: item(Array(text.utf8)))
      #expect(read == text && read.hashValue == text.hashValue && read.count == text.count)
      #expect(read.uppercased() == text.uppercased() && read + "é" == text + "é")
    }
    #expect(try CBORDecoder().decode(String.self, from: item(Array("e\u{301}".utf8))) == "\u{e9}")
  }
}
