import Foundation
import StrataCBOR
import TestSupport
import Testing

/// Uncommon uses of the containers of `Codable`. The results must equal the results of Foundation's JSON coders.
@Suite("CBOR: containers of Codable", .endsInTime) struct ContainersTests {
  /// Returns the values that JSON's and CBOR's decoders read as `Result` from the output of their encoders.
  private func read<Value: Encodable, Result: Decodable>(
    _ value: Value, as type: Result.Type
  ) throws -> (json: Result, cbor: Result) {
    try (
      JSONDecoder().decode(type, from: JSONEncoder().encode(value)),
      CBORDecoder().decode(type, from: CBOREncoder().encode(value))
    )
  }

  @Test("containers within an array, filled in turns, and the encoder of its superclass")
  func arrays() throws {
    struct Rows: Encodable {
      func encode(to encoder: any Encoder) throws {
        var rows = encoder.unkeyedContainer()
        var first = rows.nestedUnkeyedContainer()
        let late = rows.superEncoder()
        var second = rows.nestedUnkeyedContainer()
        for number in 0..<30 {
          try second.encode(100 + number)
          try first.encode(number)
        }
        try rows.encode([1, 2])
        var single = late.singleValueContainer()
        try single.encode([7])
        #expect(first.count == 30 && second.count == 30)
      }
    }
    let (json, cbor) = try read(Rows(), as: [[Int]].self)
    #expect(cbor == json)
    #expect(cbor == [Array(0..<30), [7], Array(100..<130), [1, 2]])
  }

  @Test("maps within an array, filled in turns")
  func maps() throws {
    struct Rows: Encodable {
      func encode(to encoder: any Encoder) throws {
        var rows = encoder.unkeyedContainer()
        var first = rows.nestedContainer(keyedBy: Name.self)
        var second = rows.nestedContainer(keyedBy: Name.self)
        for number in 0..<30 {
          try first.encode(number, forKey: Name(stringValue: "a\(number)"))
          try second.encode(number, forKey: Name(stringValue: "b\(number)"))
        }
      }
    }
    let (json, cbor) = try read(Rows(), as: [[String: Int]].self)
    #expect(cbor == json)
    #expect(cbor.map(\.count) == [30, 30])
  }

  @Test("decoders of nested containers and superclasses are used in any order")
  func decoders() throws {
    struct Parts: Decodable {
      var numbers: [Int]

      init(from decoder: any Decoder) throws {
        let map = try decoder.container(keyedBy: Name.self)
        let after = try map.superDecoder(forKey: Name(stringValue: "after"))
        var list = try map.nestedUnkeyedContainer(forKey: Name(stringValue: "list"))
        let inner = try map.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: "map"))
        numbers = [try inner.decode(Int.self, forKey: Name(stringValue: "b"))]
        var nested = try list.nestedUnkeyedContainer()
        let element = try list.superDecoder()
        numbers.append(try after.singleValueContainer().decode(Int.self))
        while !list.isAtEnd {
          numbers.append(try list.decode(Int.self))
          if !nested.isAtEnd { numbers.append(try nested.decode(Int.self)) }
        }
        numbers.append(
          try element.container(keyedBy: Name.self).decode(Int.self, forKey: Name(stringValue: "c")))
        numbers.append(try inner.decode(Int.self, forKey: Name(stringValue: "a")))
      }
    }
    let text = #"{"map": {"a": 1, "b": 2}, "after": 3, "list": [[4, 5], {"c": 6}, 7, 8, 9]}"#
    let json = try JSONDecoder().decode(Parts.self, from: Data(text.utf8)).numbers
    // {"map": {"a": 1, "b": 2}, "after": 3, "list": [[4, 5], {"c": 6}, 7, 8, 9]}
    let bytes = Data(hex: "a3636d6170a261610161620265616674657203646c69737485820405a1616306070809")
    let cbor = try CBORDecoder().decode(Parts.self, from: bytes).numbers
    #expect(cbor == json)
    #expect(cbor == [2, 3, 7, 4, 8, 5, 9, 6, 1])
  }

  @Test("null differs from an absent key, and all keys are found in any order of requests")
  func keys() throws {
    struct Written: Encodable {
      func encode(to encoder: any Encoder) throws {
        var map = encoder.container(keyedBy: Name.self)
        try map.encodeNil(forKey: Name(stringValue: "null"))
        try map.encode("x", forKey: Name(stringValue: "text"))
        try map.encodeIfPresent(Int?.none, forKey: Name(stringValue: "left out"))
        try map.encodeIfPresent(5, forKey: Name(stringValue: "five"))
      }
    }
    struct Seen: Decodable {
      var notes: [String] = []

      init(from decoder: any Decoder) throws {
        let map = try decoder.container(keyedBy: Name.self)
        for key in ["five", "left out", "null", "text", "five"].map(Name.init(stringValue:)) {
          let isNull = map.contains(key) ? try map.decodeNil(forKey: key) : nil
          notes.append("\(key.stringValue) \(map.contains(key)) \(isNull.map { "\($0)" } ?? "-")")
        }
        notes.append("\(try map.decodeIfPresent(Int.self, forKey: Name(stringValue: "null")) ?? -1)")
        notes.append("\(try map.decodeIfPresent(Int.self, forKey: Name(stringValue: "left out")) ?? -1)")
        notes.append("\(try map.decodeIfPresent(Int.self, forKey: Name(stringValue: "five")) ?? -1)")
        notes.append(map.allKeys.map(\.stringValue).sorted().joined(separator: ","))
        do { _ = try map.decodeNil(forKey: Name(stringValue: "left out")) } catch DecodingError.keyNotFound {
          notes.append("not found")
        }
      }
    }
    let (json, cbor) = try read(Written(), as: Seen.self)
    #expect(cbor.notes == json.notes)
    #expect(cbor.notes.contains("null true true") && cbor.notes.contains("left out false -"))
    #expect(cbor.notes.suffix(2) == ["five,null,text", "not found"])
  }

  @Test("a decoder and its containers work after init(from:) has returned")
  func deferred() throws {
    struct Kept: Decodable {
      let decoder: any Decoder
      let list: any UnkeyedDecodingContainer
      let single: any SingleValueDecodingContainer

      init(from decoder: any Decoder) throws {
        self.decoder = decoder
        list = try decoder.container(keyedBy: Name.self).nestedUnkeyedContainer(
          forKey: Name(stringValue: "list"))
        single = try decoder.singleValueContainer()
      }
    }
    let kept = try CBORDecoder().decode(Kept.self, from: CBOREncoder().encode(["list": [1, 2, 3]]))
    // Other values reuse the freed memory.
    for number in 0..<100 {
      let bytes = try CBOREncoder().encode(["other": [number]])
      #expect(try CBORDecoder().decode([String: [Int]].self, from: bytes) == ["other": [number]])
    }
    var list = kept.list
    #expect(try [list.decode(Int.self), list.decode(Int.self), list.decode(Int.self)] == [1, 2, 3])
    #expect(try kept.single.decode([String: [Int]].self) == ["list": [1, 2, 3]])
    let map = try kept.decoder.container(keyedBy: Name.self)
    #expect(try map.decode([Int].self, forKey: Name(stringValue: "list")) == [1, 2, 3])
  }

  @Test("NaN, infinities and negative zero, as elements, fields and alone")
  func numbers() throws {
    struct Both: Codable { var float: Float, double: Double }
    for float in [Float.nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      let value = [Both(float: float, double: Double(float))]
      let back = try CBORDecoder().decode([Both].self, from: CBOREncoder().encode(value))[0]
      let list = try CBORDecoder().decode([Float].self, from: CBOREncoder().encode([float]))
      for read in [back.float, Float(back.double), list[0]] {
        #expect(read.bitPattern == float.bitPattern || read.isNaN && float.isNaN, "\(float)")
      }
    }
  }

  @Test("optional texts in arrays and maps, and optionals of optionals")
  func optionals() throws {
    let list: [String?] = ["a", nil, ""]
    #expect(try read(list, as: [String?].self).cbor == list)
    let map: [String: String?] = ["a": nil, "b": "c"]
    #expect(try read(map, as: [String: String?].self).cbor == map)
    let nested: [Int??] = [1, .some(nil), nil]
    let (json, cbor) = try read(nested, as: [Int??].self)
    #expect(cbor == json)
  }
}
