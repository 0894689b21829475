import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import StrataTestKit
import TestSupport
import Testing

private enum Suit: String, StorageKey, CaseIterable { case clubs, empty = "", accented = "h\u{E9}arts" }

/// A type of keys, with sample keys and texts that are no keys.
struct KeySample: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let check: @Sendable () throws -> Void

  init<Key: StorageKey>(_ keys: [Key], refused: [String] = []) {
    testDescription = "\(Key.self)"
    check = {
      for key in keys { #expect(Key(storageKey: key.storageKey) == key) }
      #expect(Set(keys.map(\.storageKey)).count == Set(keys).count, "different keys have the same text")
      for text in refused { #expect(Key(storageKey: text) == nil, "\(text)") }
    }
  }

  /// A type of integers, with its extremes.
  private static func number<Key: FixedWidthInteger & StorageKey>(_: Key.Type, _ refused: String...)
    -> KeySample
  {
    KeySample(
      [Key.min, 0, 1, 10, .max],
      refused: refused + [
        "", " 1", "1 ", "+1", "01", "-0", "00", "1.0", "1e1", "x", "0x1", "١", "99999999999999999999",
      ])
  }

  static let all: [KeySample] = [
    number(Int.self), number(Int8.self, "128", "-129"), number(Int16.self, "32768"), number(Int32.self),
    number(Int64.self, "9223372036854775808"), number(UInt.self, "-1"), number(UInt8.self, "256", "-1"),
    number(UInt16.self, "-1"), number(UInt32.self, "-1"), number(UInt64.self, "-1"),
    KeySample(["", "a", " ", "../../etc/passwd", "\u{0}", "👩‍👩‍👧‍👦", String(repeating: "ü", count: 100_000)]),
    KeySample(
      [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))],
      refused: [
        "", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "E621E1F8C36C495A93FC0C247A3E6E5F",
        "{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}", "E621E1F8-C36C-495A-93FC-0C247A3E6E5",
      ]),
    KeySample(
      [
        "https://example.com/a?b=c#d", "file:///tmp/a%20b", "mailto:a@b.c", "relative/path",
        "https://example.com",
        "https://example.com/",
      ].compactMap(URL.init(string:)),
      refused: ["", "https://example.com/a b", "http://[", "https://example.com/ü"]),
    KeySample(Suit.allCases, refused: ["Clubs", "clubs ", "spades"]),
  ]
}

@Suite("StorageKey: a key and its text")
struct StorageKeyTests {
  @Test("decoding a key's text returns the key; any other text is refused", arguments: KeySample.all)
  func roundTrip(_ sample: KeySample) throws { try sample.check() }

  /// Checks that a number is read from a text exactly if the standard library reads it, and writes that text for it.
  private func compare<Key: FixedWidthInteger & StorageKey>(_: Key.Type, _ text: String) {
    let number = Key(text).flatMap { $0.description == text ? $0 : nil }
    #expect(Key(storageKey: text) == number, "\(Key.self) from \(text.debugDescription)")
  }

  @Test("numbers are read as the standard library reads them: all texts of up to three letters")
  func shortNumbers() {
    let letters = ["", "-", "+", ".", "/", ":", " ", "M", "١", "\u{301}"] + (0...9).map(String.init)
    for first in letters {
      for second in letters {
        for third in letters {
          compare(Int8.self, first + second + third)
          compare(UInt8.self, first + second + third)
        }
      }
    }
  }

  @Test("numbers are read as the standard library reads them: near the limits of each type, and any digits")
  func longNumbers() {
    var texts: [String] = []
    for power in 0..<68 {
      let limit = Int128(1) << power
      for step: Int128 in -2...2 { texts += ["\(limit + step)", "\(step - limit)"] }
    }
    var random = SeededGenerator(seed: Soak.seed)
    for _ in 0..<2000 {
      let count = Int.random(in: 1...22, using: &random)
      let digits = (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
      texts += [digits, "-" + digits]
    }
    for text in texts {
      compare(Int.self, text)
      compare(Int16.self, text)
      compare(Int32.self, text)
      compare(Int64.self, text)
      compare(UInt.self, text)
      compare(UInt16.self, text)
      compare(UInt32.self, text)
      compare(UInt64.self, text)
    }
  }

  @Test("the text of a key is its usual notation")
  func texts() throws {
    #expect((-5).storageKey == "-5")
    #expect("ü".storageKey == "ü")
    #expect(Suit.clubs.storageKey == "clubs")
    #expect(try #require(URL(string: "https://example.com/a")).storageKey == "https://example.com/a")
    #expect(
      try #require(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")).storageKey
        == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
  }
}
