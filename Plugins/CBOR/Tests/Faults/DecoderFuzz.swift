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

  /// The same fields, requested in the opposite order.
  struct Backwards: Decodable {
    let fields: Fields

    private enum Keys: CodingKey {
      case id, small, large, text, bytes, list, texts, nested, kind, when, name, flags, byID
    }

    init(from decoder: any Decoder) throws {
      let map = try decoder.container(keyedBy: Keys.self)
      var fields = Fields(id: 0)
      fields.byID = try map.decodeIfPresent([Int: [UInt8]].self, forKey: .byID)
      fields.flags = try map.decodeIfPresent([Bool?].self, forKey: .flags)
      fields.name = try map.decodeIfPresent(UUID.self, forKey: .name)
      fields.when = try map.decodeIfPresent(Date.self, forKey: .when)
      fields.kind = try map.decodeIfPresent(Fields.Kind.self, forKey: .kind)
      fields.nested = try map.decodeIfPresent([Backwards].self, forKey: .nested)?.map(\.fields)
      fields.texts = try map.decodeIfPresent([String: String].self, forKey: .texts)
      fields.list = try map.decodeIfPresent([Int].self, forKey: .list)
      fields.bytes = try map.decodeIfPresent(Data.self, forKey: .bytes)
      fields.text = try map.decodeIfPresent(String.self, forKey: .text)
      fields.large = try map.decodeIfPresent(UInt128.self, forKey: .large)
      fields.small = try map.decodeIfPresent(Int8.self, forKey: .small)
      fields.id = try map.decode(Int.self, forKey: .id)
      self.fields = fields
    }
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
    try checkOrder(data)
    try checkText(input)
    #if STRATA_FUZZER
      try checkScan(data)
    #endif
  }

  /// Checks that a map is read alike in whatever order its keys are requested.
  private static func checkOrder(_ data: Data) throws {
    let forwards: Fields?
    do { forwards = try CBORDecoder().decode(Fields.self, from: data) } catch is DecodingError {
      forwards = nil
    }
    let backwards: Fields?
    do {
      backwards = try CBORDecoder().decode(Backwards.self, from: data).fields
    } catch is DecodingError { backwards = nil }
    var encoder = CBOREncoder()
    encoder.isDeterministic = true
    // NaN is not equal to itself, but its bytes are.
    guard try encoder.encode(forwards) == encoder.encode(backwards) else {
      throw Failure(reason: "fields were not read alike in both orders")
    }
  }

  #if STRATA_FUZZER
    /// Checks that the short check accepts no input that the whole one refuses.
    private static func checkScan(_ data: Data) throws {
      let isWrong = data.withUnsafeBytes { raw in
        guard let base = raw.baseAddress else { return false }
        let bytes = CBORBytes(base: base.assumingMemoryBound(to: UInt8.self), count: raw.count)
        do {
          return try CBORScan.isPlain(bytes) && CBORScan.checkAll(bytes, depthLimit: CBORLimits.depth)
        } catch { return true }
      }
      if isWrong { throw Failure(reason: "the short check accepted what the whole one refuses") }
    }
  #endif

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
