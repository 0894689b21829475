import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

@Suite struct DocumentValueTests {
  @Test func literalsAndSubscriptsReadAsTheDocumentDoes() throws {
    var city: JSONValue = [
      "name": "Kharkiv", "founded": 1654, "area": 350.5, "rivers": ["Lopan", "Udy"], "capital": false,
      "mayor": nil,
    ]
    #expect(city["name"]?.string == "Kharkiv")
    #expect(city["founded"]?.int == 1654 && city["founded"]?.double == 1654)
    #expect(city["area"]?.double == 350.5 && city["area"]?.int == nil)
    #expect(city["rivers"]?[1] == "Udy" && city["rivers"]?[2] == nil && city["rivers"]?[-1] == nil)
    #expect(city["capital"]?.bool == false && city["mayor"]?.isNull == true)
    #expect(city["nothing"] == nil && city["name"]?["x"] == nil && city["name"]?[0] == nil)
    #expect(city["rivers"]?.array?.count == 2 && city.dictionary?.count == 6)

    city["mayor"] = "unknown"
    city["area"] = nil
    #expect(city["mayor"] == "unknown" && city.dictionary?.count == 5)

    #expect(JSONValue(dictionaryLiteral: ("a", 1), ("a", 2)) == ["a": 2])
    let plist: PlistValue = ["since": .date(Date(timeIntervalSince1970: 5)), "icon": .data(Data([1]))]
    #expect(plist["since"]?.date == Date(timeIntervalSince1970: 5) && plist["icon"]?.data == Data([1]))
  }

  @Test(arguments: [
    ("0", ExactNumber.integer(0)), ("-1", .integer(-1)), ("1.5", .double(1.5)), ("0.1", .double(0.1)),
    ("9007199254740993", .integer(9_007_199_254_740_993)), ("9223372036854775807", .integer(Int128(Int.max))),
    ("9223372036854775808", .integer(Int128(Int.max) + 1)),
    ("-9223372036854775809", .integer(Int128(Int.min) - 1)),
    ("18446744073709551616", .integer(Int128(UInt64.max) + 1)),
    ("12345678901234567890123456789012345678", .integer(12_345_678_901_234_567_890_123_456_789_012_345_678)),
    ("1e300", .double(1e300)),
  ])
  func numbersKeepTheirDigits(text: String, number: ExactNumber) throws {
    let transformer = Transformer.codable(JSONValue.self)
    let read = try transformer.fromData(Data(text.utf8))
    #expect(read == .number(number))
    if case .integer = number {
      #expect(try String(decoding: transformer.toData(read), as: UTF8.self) == text)
    }
  }

  @Test func equalNumbersAreEqualHoweverTheyAreHeld() {
    let same: [(ExactNumber, ExactNumber)] = [
      (.integer(5), .double(5)), (.integer(0), .double(-0.0)), (.integer(1 << 60), .double(0x1p60)),
    ]
    for (integer, double) in same {
      #expect(integer == double && integer.hashValue == double.hashValue)
      #expect(integer.int == double.int && integer.double == double.double)
    }
    #expect(ExactNumber.integer(9_007_199_254_740_993) != .double(9_007_199_254_740_992))
    #expect(ExactNumber.double(.nan) != .double(.nan) && ExactNumber.double(0.5) != .integer(0))
    #expect(ExactNumber.double(1e300).int == nil && ExactNumber.integer(1 << 100).int == nil)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func everyDocumentComesBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let json = JSONValue.random(depth: 3, using: &generator)
      let back = Transformer.codable(JSONValue.self)
      #expect(try back.fromData(back.toData(json)) == json)
      for format in [PropertyListFormat.binary, .xml] {
        let plist = PlistValue.random(depth: 3, using: &generator)
        let back = Transformer.propertyList(PlistValue.self, format: format)
        #expect(try back.fromData(back.toData(plist)) == plist)
      }
    }
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func aPropertyListIsWrittenInOneFormatAndReadInBoth(format: PropertyListFormat) throws {
    for value: PlistValue in ["x", 5, ["x"], [["x"]], [[]], [], ["a": [1]], true] {
      let data = try Transformer.propertyList(PlistValue.self, format: format).toData(value)
      #expect(data.starts(with: Data((format == .xml ? "<?xml" : "bplist00").utf8)))
      #expect(try Transformer.propertyList(PlistValue.self).fromData(data) == value)
    }
  }

  @Test func whatAFormatCannotHoldIsRefused() {
    let plist = Transformer.propertyList(PlistValue.self)
    #expect(throws: StorageError.encodingFailed) { try plist.toData([.number(.integer(1 << 64))]) }
    #expect(throws: StorageError.encodingFailed) {
      try Transformer.codable(JSONValue.self).toData(.number(.double(.nan)))
    }
    for text in ["", "{", "[1", "nul", "1e400", #"{"a":1e400}"#] {
      #expect(throws: StorageError.decodingFailed, "\(text)") {
        try Transformer.codable(JSONValue.self).fromData(Data(text.utf8))
      }
    }
  }
}

extension DocumentValue {
  fileprivate static func random(
    depth: Int, using generator: inout SeededGenerator, leaf: (inout SeededGenerator) -> Self
  ) -> Self {
    let texts = ["", "a", "5", "true", "\u{0}\"\\", "日本 👩‍👩‍👧‍👦"]
    let count = Int.random(in: 0...3, using: &generator)
    switch Int.random(in: 0...(depth == 0 ? 4 : 8), using: &generator) {
    case 0: return .bool(Bool.random(using: &generator))
    case 1: return .string(texts.randomElement(using: &generator) ?? "")
    case 2:
      return .number(.integer(Int128(Int64.random(in: .min ... .max, using: &generator) >> (count * 16))))
    case 3: return .number(.double(Double(sign: .minus, exponent: count * 40, significand: 1.7)))
    case 4: return leaf(&generator)
    case 5, 6:
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator, leaf: leaf) })
    default:
      var members: [String: Self] = [:]
      for text in texts.prefix(count) {
        members[text] = random(depth: depth - 1, using: &generator, leaf: leaf)
      }
      return .dictionary(members)
    }
  }
}

extension JSONValue {
  fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
    random(depth: depth, using: &generator) { generator in
      Bool.random(using: &generator)
        ? .null : .number(.integer(.random(in: .min ... .max, using: &generator)))
    }
  }
}

extension PlistValue {
  fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> PlistValue {
    random(depth: depth, using: &generator) { generator in
      let number = Int.random(in: 0...1_000_000_000, using: &generator)
      return number.isMultiple(of: 2)
        ? .date(Date(timeIntervalSince1970: Double(number))) : .data(Data("\(number)".utf8))
    }
  }
}
