import Foundation
import StrataCBOR
import TestSupport
import Testing

/// The examples of RFC 8949, appendix A.
@Suite("RFC 8949, appendix A", .endsInTime) struct VectorTests {
  @Test(
    "unsigned integers",
    arguments: [
      (0, "00"), (1, "01"), (10, "0a"), (23, "17"), (24, "1818"), (25, "1819"), (100, "1864"),
      (1000, "1903e8"),
      (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"),
      (UInt64.max, "1bffffffffffffffff"),
    ])
  func unsigned(_ value: UInt64, _ hex: String) throws { try bothWays(value, hex) }

  @Test("negative integers", arguments: [(-1, "20"), (-10, "29"), (-100, "3863"), (-1000, "3903e7")])
  func negative(_ value: Int, _ hex: String) throws { try bothWays(value, hex) }

  @Test(
    "integers of over 64 bits",
    arguments: [
      (Int128(UInt64.max) + 1, "c249010000000000000000"), (-Int128(UInt64.max) - 1, "3bffffffffffffffff"),
      (-Int128(UInt64.max) - 2, "c349010000000000000000"),
    ])
  func large(_ value: Int128, _ hex: String) throws { try bothWays(value, hex) }

  @Test(
    "floating-point numbers",
    arguments: [
      (0.0, "f90000"), (-0.0, "f98000"), (1.0, "f93c00"), (1.1, "fb3ff199999999999a"), (1.5, "f93e00"),
      (65504.0, "f97bff"), (100_000.0, "fa47c35000"), (3.4028234663852886e+38, "fa7f7fffff"),
      (1.0e+300, "fb7e37e43c8800759c"), (5.960464477539063e-8, "f90001"), (0.00006103515625, "f90400"),
      (-4.0, "f9c400"), (-4.1, "fbc010666666666666"), (.infinity, "f97c00"), (-.infinity, "f9fc00"),
      (.nan, "f97e00"),
    ])
  func floats(_ value: Double, _ hex: String) throws {
    #expect(try CBOREncoder().encode(value).hex == hex)
    let decoded = try CBORDecoder().decode(Double.self, from: Data(hex: hex))
    #expect(decoded.bitPattern == value.bitPattern || decoded.isNaN && value.isNaN)
  }

  @Test(
    "floating-point numbers in more bytes than they need are read",
    arguments: [
      ("fa7f800000", Double.infinity), ("fa7fc00000", .nan), ("faff800000", -.infinity),
      ("fb7ff0000000000000", .infinity), ("fb7ff8000000000000", .nan), ("fbfff0000000000000", -.infinity),
    ])
  func longFloats(_ hex: String, _ value: Double) throws {
    let decoded = try CBORDecoder().decode(Double.self, from: Data(hex: hex))
    #expect(decoded == value || decoded.isNaN && value.isNaN)
  }

  @Test("booleans and null")
  func simple() throws {
    try bothWays(false, "f4")
    try bothWays(true, "f5")
    try bothWays(Int?.none, "f6")
    #expect(try CBORDecoder().decode(Int?.self, from: Data(hex: "f7")) == nil)
  }

  @Test("tags: dates, and tags that no type expects")
  func tags() throws {
    let decoder = CBORDecoder()
    let day = Date(timeIntervalSince1970: 1_363_896_240)
    #expect(
      try decoder.decode(Date.self, from: Data(hex: "c074323031332d30332d32315432303a30343a30305a")) == day)
    #expect(try decoder.decode(Date.self, from: Data(hex: "c11a514b67b0")) == day)
    #expect(try decoder.decode(Date.self, from: Data(hex: "c1fb41d452d9ec200000")) == day + 0.5)
    #expect(try decoder.decode(Data.self, from: Data(hex: "d74401020304")) == Data([1, 2, 3, 4]))
    #expect(try decoder.decode(Data.self, from: Data(hex: "d818456449455446")) == Data(hex: "6449455446"))
    let url = try decoder.decode(
      URL.self, from: Data(hex: "d82076687474703a2f2f7777772e6578616d706c652e636f6d"))
    #expect(url.absoluteString == "http://www.example.com")
  }

  @Test("byte strings", arguments: [("", "40"), ("01020304", "4401020304")])
  func bytes(_ content: String, _ hex: String) throws {
    try bothWays(Data(hex: content), hex)
    try bothWays(Array(Data(hex: content)), hex)
  }

  @Test(
    "texts",
    arguments: [
      ("", "60"), ("a", "6161"), ("IETF", "6449455446"), ("\"\\", "62225c"), ("\u{fc}", "62c3bc"),
      ("\u{6c34}", "63e6b0b4"), ("\u{10151}", "64f0908591"),
    ])
  func texts(_ value: String, _ hex: String) throws { try bothWays(value, hex) }

  @Test("arrays and maps")
  func containers() throws {
    try bothWays([Int](), "80")
    try bothWays([1, 2, 3], "83010203")
    try bothWays(Nested.example, "8301820203820405")
    try bothWays(Array(1...25), "98190102030405060708090a0b0c0d0e0f101112131415161718181819")
    try bothWays([String: Int](), "a0")
    #expect(try CBORDecoder().decode([Int: Int].self, from: Data(hex: "a201020304")) == [1: 2, 3: 4])
    try bothWays(Pair.example, "a26161016162820203")
    try bothWays(Mixed.example, "826161a161626163")
    var deterministic = CBOREncoder()
    deterministic.isDeterministic = true
    let letters = ["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"]
    #expect(try deterministic.encode(letters).hex == "a56161614161626142616361436164614461656145")
  }

  @Test("items of indefinite length are read")
  func indefinite() throws {
    let decoder = CBORDecoder()
    #expect(try decoder.decode(Data.self, from: Data(hex: "5f42010243030405ff")) == Data([1, 2, 3, 4, 5]))
    #expect(try decoder.decode(String.self, from: Data(hex: "7f657374726561646d696e67ff")) == "streaming")
    #expect(try decoder.decode([Int].self, from: Data(hex: "9fff")) == [])
    for hex in [
      "9f018202039f0405ffff", "9f01820203820405ff", "83018202039f0405ff", "83019f0203ff820405",
    ] {
      #expect(try decoder.decode(Nested.self, from: Data(hex: hex)) == .example)
    }
    let many = "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff"
    #expect(try decoder.decode([Int].self, from: Data(hex: many)) == Array(1...25))
    #expect(try decoder.decode(Pair.self, from: Data(hex: "bf61610161629f0203ffff")) == .example)
    #expect(try decoder.decode(Mixed.self, from: Data(hex: "826161bf61626163ff")) == .example)
    #expect(
      try decoder.decode(Fun.self, from: Data(hex: "bf6346756ef563416d7421ff")) == Fun(Fun: true, Amt: -2))
  }

  private func bothWays<T: Codable & Equatable>(_ value: T, _ hex: String) throws {
    #expect(try CBOREncoder().encode(value).hex == hex)
    #expect(try CBORDecoder().decode(T.self, from: Data(hex: hex)) == value)
  }
}

/// `[1, [2, 3], [4, 5]]`
private struct Nested: Codable, Equatable {
  var first = 0
  var rest: [[Int]] = []

  static let example = Nested(first: 1, rest: [[2, 3], [4, 5]])

  init(first: Int, rest: [[Int]]) { (self.first, self.rest) = (first, rest) }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    first = try container.decode(Int.self)
    while !container.isAtEnd { rest.append(try container.decode([Int].self)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(first)
    for part in rest { try container.encode(part) }
  }
}

/// `{"a": 1, "b": [2, 3]}`
private struct Pair: Codable, Equatable {
  var a = 1
  var b = [2, 3]

  static let example = Pair()
}

/// `["a", {"b": "c"}]`
private struct Mixed: Codable, Equatable {
  var text = "a"
  var map = ["b": "c"]

  static let example = Mixed()

  init() {}

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    text = try container.decode(String.self)
    map = try container.decode([String: String].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(text)
    try container.encode(map)
  }
}

private struct Fun: Codable, Equatable {
  var Fun: Bool
  var Amt: Int
}
