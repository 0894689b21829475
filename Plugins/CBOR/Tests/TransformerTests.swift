import Foundation
import Strata
import StrataCBOR
import TestSupport
import Testing

/// CBOR in a chain.
@Suite("CBOR in a chain", .endsInTime) struct CBORTransformerTests {
  private func storage(
    in folder: TemporaryFolder, _ transformer: Transformer<Person>
  ) throws -> Storage<String, Person> {
    try Storage(
      diskConfig: DiskConfig(name: "people", directory: folder.url), memoryConfig: MemoryConfig(),
      transformer: transformer)
  }

  @Test("values are read from disk, also compressed ones, and views of other types use CBOR")
  func views() throws {
    let folder = TemporaryFolder()
    try storage(in: folder, .cbor(Person.self).zlib()).setObject(.ada, forKey: "ada")
    let people = try storage(in: folder, .cbor(Person.self).zlib())
    #expect(try people.object(forKey: "ada") == .ada)
    struct Named: Codable, Equatable { var name: String }
    let names = people.transform(to: Named.self)
    #expect(try names.object(forKey: "ada") == Named(name: "Ada"))
    try names.setObject(Named(name: "Bo"), forKey: "bo")
    let stored = try people.transform(to: Transformer.data.zlib()).object(forKey: "bo")
    #expect(try CBORDecoder().decode(Named.self, from: stored) == Named(name: "Bo"))
    #expect(throws: StorageError.typeNotMatch) { try people.object(forKey: "bo") }
  }

  @Test("a live object is available to all views that read CBOR of its type, and to no others")
  func wrappers() throws {
    let wrapper = TypeWrapper.holding(Person.ada, transformer: .cbor(Person.self))
    #expect(wrapper.cachedObject(as: .cbor(Person.self)) == .ada)
    #expect(wrapper.cachedObject(as: .codable(Person.self)) == nil)
    #expect(wrapper.cachedObject(as: Transformer.cbor(Person.self).zlib()) == nil)
    #expect(try CBORDecoder().decode(Person.self, from: wrapper.data()) == .ada)
  }

  @Test("a store moves from JSON to CBOR while it is in use")
  func moving() throws {
    let folder = TemporaryFolder()
    try storage(in: folder, .codable(Person.self)).setObject(.ada, forKey: "old")
    let moving = try storage(in: folder, .codable(reading: [.json, .cbor], writing: .cbor))
    #expect(try moving.object(forKey: "old") == .ada)
    try moving.setObject(.ada, forKey: "new")
    let moved = try storage(in: folder, .cbor(Person.self))
    #expect(try moved.object(forKey: "new") == .ada)
    #expect(throws: StorageError.self) { try moved.object(forKey: "old") }
  }

  @Test(
    "formats are told apart, a single number or text too",
    arguments: [[CodableFormat.json, .cbor], [.cbor, .propertyList]])
  func apart(_ formats: [CodableFormat]) throws {
    for writing in formats {
      for value in ["", "a", "{", "true", String(repeating: "t", count: 20), "bplist00", "5"] {
        let written = try Transformer<String>.codable(reading: formats, writing: writing).toData(value)
        for reading in formats {
          let transformer = Transformer<String>.codable(reading: formats, writing: reading)
          #expect(try transformer.fromData(written) == value)
        }
      }
      for value in [0, 5, 24, -1, 34, 123, 100_000, .max] {
        let written = try Transformer<Int>.codable(reading: formats, writing: writing).toData(value)
        #expect(
          try Transformer<Int>.codable(reading: formats, writing: formats[0]).fromData(written) == value)
      }
    }
  }

  @Test("errors name the value that could not be read")
  func errors() throws {
    let error = #expect(throws: StorageError.self) {
      try Transformer<Person>.cbor().fromData(Data("{}".utf8))
    }
    #expect(error?.code == StorageError.decodingFailed.code)
    #expect(error?.message.contains("Person in cbor") == true)
    #expect(error?.cause is DecodingError)
  }

  @Test("errors of a confidential chain quote neither values nor keys, whatever is wrong with the bytes")
  func confidential() throws {
    struct Secrets: Codable {
      var name = "S3CR3T"
      var number = 271_828
      var list = ["S3CR3T"]
      var byName = ["S3CR3T": ["S3CR3T": "S3CR3T"]]
      var byNumber = [271_828: "S3CR3T"]
    }
    struct Number: Codable { var name: Int }
    struct Small: Codable { var number: Int8 }
    struct Numbers: Codable { var list: [Int] }
    struct ByName: Codable { var byName: [String: [String: Int]] }
    struct ByNumber: Codable { var byNumber: [Int: Int] }
    struct Missing: Codable { var age: Int }
    struct Choice: Codable {
      enum Name: String, Codable { case ada }
      var name: Name
    }
    struct Date: Codable { var name: Foundation.Date }
    struct Unwritable: Codable {
      func encode(to encoder: any Encoder) throws {
        let container = encoder.singleValueContainer()
        throw EncodingError.invalidValue(
          "S3CR3T", .init(codingPath: container.codingPath, debugDescription: "S3CR3T"))
      }
      init(from decoder: any Decoder) throws {}
      init() {}
    }
    let hidden = ByteTransformer(encode: { Data($0.reversed()) }, decode: { Data($0.reversed()) })
      .confidential()
    func transformers<T: Codable & Sendable>(_ type: T.Type) -> [Transformer<T>] {
      let moving = Transformer<T>.codable(reading: [.json, .cbor], writing: .cbor)
      return [Transformer.cbor(type).confidential(), .cbor(type).then(hidden), moving.confidential()]
    }
    var count = 0
    func expectSilence(_ use: () throws -> Void) {
      do { try use() } catch {
        count += 1
        var shown = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
        dump(error, to: &shown)
        #expect(!shown.contains("S3C") && !shown.contains("2718"), "\(shown)")
      }
    }
    func read<T: Codable & Sendable>(_ type: T.Type) throws {
      for (secrets, others) in zip(transformers(Secrets.self), transformers(type)) {
        let bytes = try secrets.toData(Secrets())
        expectSilence { _ = try others.fromData(bytes) }
      }
    }
    try read(Number.self)
    try read(Small.self)
    try read(Numbers.self)
    try read(ByName.self)
    try read(ByNumber.self)
    try read(Missing.self)
    try read(Choice.self)
    try read(Date.self)
    try read([Int].self)
    for transformer in transformers(Unwritable.self) {
      expectSilence { _ = try transformer.toData(Unwritable()) }
    }
    #expect(count == 10 * 3)
    // Truncated at each position, and with each byte changed.
    for secrets in transformers(Secrets.self) {
      let bytes = try secrets.toData(Secrets())
      for index in bytes.indices {
        expectSilence { _ = try secrets.fromData(bytes.prefix(index)) }
        for bit in [UInt8(1), 0x20, 0x80] {
          var damaged = bytes
          damaged[index] ^= bit
          expectSilence { _ = try secrets.fromData(damaged) }
        }
      }
    }
    #expect(count > 500)
  }
}
