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
}
