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

  @Test("values come back from the disk, compressed too, and views of other types are CBOR")
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

  @Test("errors say what could not be read")
  func errors() throws {
    let error = #expect(throws: StorageError.self) {
      try Transformer<Person>.cbor().fromData(Data("{}".utf8))
    }
    #expect(error?.code == StorageError.decodingFailed.code)
    #expect(error?.message.contains("Person in cbor") == true)
    #expect(error?.cause is DecodingError)
  }
}
