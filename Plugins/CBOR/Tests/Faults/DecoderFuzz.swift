#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if !STRATA_FUZZER
  import StrataCBOR
#endif

/// The fuzzer of the decoder, for `make fuzz`; its seeds run in every run of the tests.
///
/// The input is decoded as a type that has a field of each kind, and as a value of any shape. A decoded value is
/// encoded and decoded again: both values must be equal. Deterministic encodings of both must be equal too.
enum DecoderFuzz {
  struct Failure: Error {
    let reason: String
  }

  struct Fields: Codable, Equatable {
    enum Kind: Codable, Equatable {
      case empty
      case named(name: String, count: Int)
    }
    var id: Int
    var small: Int8?
    var large: UInt128?
    var text: String?
    var bytes: Data?
    var list: [Int]?
    var texts: [String: String]?
    var nested: [Fields]?
    var kind: Kind?
    var when: Date?
    var name: UUID?
    var flags: [Bool?]?
    var byID: [Int: [UInt8]]?
  }

  /// Any item. A container keeps its elements, but not the keys of a map.
  indirect enum Shape: Codable, Equatable {
    case scalar
    case list([Shape])

    init(from decoder: any Decoder) throws {
      if var container = try? decoder.unkeyedContainer() {
        var items: [Shape] = []
        while !container.isAtEnd { items.append(try container.decode(Shape.self)) }
        self = .list(items)
      } else {
        self = .scalar
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .scalar: try Int?.none.encode(to: encoder)
      case .list(let items): try items.encode(to: encoder)
      }
    }
  }

  /// Throws a `Failure` if a promise is broken. A trap counts as a broken promise too.
  static func run(_ input: [UInt8]) throws {
    let data = Data(input)
    try check(Fields.self, data)
    try check(Shape.self, data)
    try checkText(input)
  }

  /// Checks that bytes are read as a text if, and only if, they are UTF-8 according to the standard library.
  private static func checkText(_ input: [UInt8]) throws {
    let item = Data([0x7a] + withUnsafeBytes(of: UInt32(input.count).bigEndian, Array.init) + input)
    let text: String?
    do { text = try CBORDecoder().decode(String.self, from: item) } catch is DecodingError { text = nil }
    guard text == String(validating: input, as: UTF8.self) else {
      throw Failure(reason: "a text was not read as the standard library reads it")
    }
  }

  private static func check<T: Codable & Equatable>(_ type: T.Type, _ data: Data) throws {
    let value: T
    do { value = try CBORDecoder().decode(type, from: data) } catch is DecodingError { return }
    var encoder = CBOREncoder()
    let again = try CBORDecoder().decode(type, from: encoder.encode(value))
    encoder.isDeterministic = true
    let sorted = try encoder.encode(value)
    // NaN is not equal to itself.
    guard try again == value || sorted == encoder.encode(again) else {
      throw Failure(reason: "a value was not read as it was written")
    }
    guard sorted == (try encoder.encode(CBORDecoder().decode(type, from: sorted))) else {
      throw Failure(reason: "sorted bytes were not read as they were written")
    }
  }

  /// The inputs from which the fuzzer starts to mutate.
  static var seeds: [[UInt8]] {
    get throws {
      var fields = Fields(id: 1)
      var seeds = try [Array(CBOREncoder().encode(fields))]
      (fields.small, fields.large, fields.text) = (-5, .max, "Größe")
      (fields.bytes, fields.list, fields.texts) = (Data([1, 2, 3]), [1, -300, 70_000], ["a": "b"])
      (fields.kind, fields.when, fields.flags) = (
        .named(name: "x", count: 3), Date(timeIntervalSince1970: 0.5), [true, nil]
      )
      (fields.name, fields.byID) = (UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"), [7: [1, 2]])
      fields.nested = [Fields(id: 2), fields]
      seeds.append(Array(try CBOREncoder().encode(fields)))
      // Items of indefinite length, tags, numbers of all kinds.
      seeds.append([0xbf, 0x62, 0x69, 0x64, 0xfb, 0x40, 0x14, 0, 0, 0, 0, 0, 0, 0xff])
      seeds.append([
        0x9f, 0x82, 0xf9, 0x3c, 0, 0xfa, 0x3f, 0x80, 0, 0, 0x5f, 0x41, 1, 0xff, 0xc1, 0, 0x80, 0xff,
      ])
      seeds.append(Array("Größe, Вікіпедія, 水曜日, 😀, e\u{301}; plain letters after them".utf8))
      return seeds
    }
  }
}

#if STRATA_FUZZER
  typealias Fuzzed = DecoderFuzz
#endif
