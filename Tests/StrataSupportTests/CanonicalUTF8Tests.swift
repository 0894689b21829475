import Foundation
import Testing

@testable import StrataSupport

@Suite("String.canonicalUTF8: equal strings have equal bytes")
struct CanonicalUTF8Tests {
  @Test("ASCII is unchanged", arguments: ["", "a", "\u{0}\u{7F}", "../../etc/passwd"])
  func ascii(_ text: String) { #expect(text.canonicalUTF8 == Array(text.utf8)) }

  @Test(
    "composed and decomposed characters have equal bytes",
    arguments: [
      ["caf\u{E9}", "cafe\u{301}"], ["\u{212B}", "\u{C5}", "A\u{30A}"], ["\u{AC00}", "\u{1100}\u{1161}"],
      ["q\u{307}\u{323}", "q\u{323}\u{307}"], ["\u{1E69}", "s\u{323}\u{307}", "\u{1E63}\u{307}"],
      ["\u{2126}", "\u{3A9}"],
    ])
  func composed(_ texts: [String]) {
    #expect(Set(texts).count == 1)
    #expect(Set(texts.map(\.canonicalUTF8)).count == 1)
  }

  @Test("similar characters that are not equal have different bytes")
  func different() {
    let texts = ["\u{FB01}", "fi", "\u{41}", "\u{391}", "\u{410}", "é", "e", "ss", "ß", "²", "2", "👩‍👧", "👩👧"]
    #expect(Set(texts.map(\.canonicalUTF8)).count == texts.count)
  }

  @Test("the bytes decode to a string that equals the original")
  func readsBack() {
    let texts = [
      "cafe\u{301}", "👩‍👩‍👧‍👦", "日本語", "\u{10FFFF}\u{FFFD}", String(repeating: "e\u{301}", count: 10_000),
    ]
    for text in texts { #expect(String(decoding: text.canonicalUTF8, as: UTF8.self) == text) }
  }

  @Test("of all short strings of awkward characters, bytes are equal exactly when the strings are")
  func exhaustive() {
    let scalars = "ae\u{E9}\u{300}\u{301}\u{323}\u{30A}\u{C5}\u{212B}\u{1100}\u{1161}\u{11A8}\u{AC00}\u{AC01}"
      .unicodeScalars
    let one = scalars.map { String($0) }
    let two = one.flatMap { first in one.map { first + $0 } }
    let three = two.flatMap { first in one.map { first + $0 } }
    var bytes: [String: Set<[UInt8]>] = [:]
    let all = one + two + three
    for text in all { bytes[text, default: []].insert(text.canonicalUTF8) }
    #expect(bytes.count < all.count)
    #expect(bytes.values.allSatisfy { $0.count == 1 })
    #expect(Set(bytes.values).count == bytes.count)
  }

  /// Checks characters that count as composed without Unicode's tables: each one alone, behind others, and in random
  /// texts.
  @Test("ASCII and other normalized text is recognized without normalizing")
  func shortcut() {
    let bases = "aeAO\u{308}\u{3B1}\u{3B9}\u{418}\u{438}\u{5D0}\u{627}\u{648}\u{304B}\u{30CF}\u{AC00}\u{1100}"
      .unicodeScalars
    var sure: [Unicode.Scalar] = []
    // An expectation for each of the texts would take most of the test's time.
    var changed: [String] = []
    for value in UInt32(0)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value), UTF8Composer.isComposed(value) else { continue }
      sure.append(scalar)
      let bytes = Array(String(scalar).utf8)
      if String(scalar).normalizedUTF8 != bytes || String(scalar).canonicalUTF8 != bytes {
        changed.append("U+\(String(value, radix: 16))")
      }
      if value > 0x2000, value % 7 != 0 { continue }
      for base in bases where value > 0x7F && UTF8Composer.isComposed(base.value) {
        var text = String(base)
        text.unicodeScalars.append(scalar)
        if text.normalizedUTF8 != Array(text.utf8) {
          changed.append("U+\(String(value, radix: 16)) behind \(base)")
        }
      }
    }
    #expect(changed.isEmpty)
    #expect(sure.count > 60_000)
    var state: UInt64 = 14
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let marks = "\u{300}\u{301}\u{308}\u{323}\u{653}\u{3099}\u{1161}\u{11A8}\u{5B4}".unicodeScalars.map { $0 }
    for _ in 0..<5000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<next(12) {
        text.append(next(8) == 0 ? marks[next(marks.count)] : sure[next(next(2) == 0 ? 1500 : sure.count)])
      }
      #expect(String(text).canonicalUTF8 == String(text).normalizedUTF8)
    }
  }
}
