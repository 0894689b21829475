import Foundation
import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

@Suite("Views with custom coders")
struct CoderTests {
  private struct Event: Codable, Equatable, Sendable {
    var name: String
    var at: Date
  }

  private let base = DictionaryStorage<String, Data>()
  private let event = Event(name: "Show", at: Date(timeIntervalSince1970: 0))
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()
  private let xml = PropertyListEncoder()

  init() {
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .iso8601
    decoder.dateDecodingStrategy = .iso8601
    xml.outputFormat = .xml
  }

  private var text: String? { base.objects["a"].map { String(decoding: $0, as: UTF8.self) } }

  @Test("JSON is encoded and decoded by the given coders, in stores of every kind")
  func json() async throws {
    let sorted = #"{"at":"1970-01-01T00:00:00Z","name":"Show"}"#
    let stores: [any StorageAware<String, Event>] = [
      base.mapJSONObject(Event.self, decoder: decoder, encoder: encoder),
      base.mapJSONObject(Event.self, encoder: encoder, decoder: decoder),
      SlowStorage(base).mapJSONObject(decoder: decoder, encoder: encoder),
      base.transform(to: .codable(Event.self, encoder: encoder, decoder: decoder)),
    ]
    for store in stores {
      try await store.setObject(event, forKey: "a")
      #expect(text == sorted)
      #expect(try await store.object(forKey: "a") == event)
      try await base.removeAll()
    }
    let plain = PlainStore(base).mapJSONObject(Event.self, decoder: decoder, encoder: encoder)
    try await plain.set(event, forKey: "a")
    #expect(try await plain.retrieve(forKey: "a") == event)
    try await base.writeOnly().mapJSONObject(Event.self, encoder: encoder).set(event, forKey: "a")
    #expect(
      try await base.readOnly().mapJSONObject(Event.self, decoder: decoder).retrieve(forKey: "a") == event)
    await #expect(throws: StorageError.typeNotMatch) {
      try await base.mapJSONObject(Event.self).object(forKey: "a")
    }
  }

  @Test("JSON documents are encoded by them too")
  func documents() async throws {
    try await base.mapJSON(encoder: encoder).setObject(["b": 1, "a": 2, "c": 3], forKey: "a")
    #expect(text == #"{"a":2,"b":1,"c":3}"#)
    try await base.mapJSONDictionary(encoder: encoder).setObject(["b": 1, "a": 2], forKey: "a")
    #expect(text == #"{"a":2,"b":1}"#)
    try await base.mapPlist(encoder: xml).setObject(["b": 1], forKey: "a")
    #expect(text?.hasPrefix("<?xml") == true)
    try await base.mapPlistDictionary(encoder: xml).setObject(["b": 2], forKey: "a")
    #expect(text?.hasPrefix("<?xml") == true)
    #expect(try await base.mapPlist().object(forKey: "a") == ["b": 2])
  }

  @Test("property lists have the format of their encoder, single values included")
  func plist() async throws {
    let stores: [any StorageAware<String, Int>] = [
      base.mapPlistObject(Int.self, encoder: xml), SlowStorage(base).mapPlistObject(Int.self, encoder: xml),
      base.mapPlistObject(Int.self, encoder: xml, decoder: PropertyListDecoder()),
    ]
    for store in stores {
      try await store.setObject(5, forKey: "a")
      #expect(text?.hasPrefix("<?xml") == true)
      #expect(try await store.object(forKey: "a") == 5)
      #expect(try await base.mapPlistObject(Int.self).object(forKey: "a") == 5)
    }
    try await base.writeOnly().mapPlistObject(Int.self, encoder: xml).set(6, forKey: "a")
    #expect(text?.hasPrefix("<?xml") == true)
    let half = base.readOnly().mapPlistObject(Int.self, decoder: PropertyListDecoder())
    #expect(try await half.retrieve(forKey: "a") == 6)
    try await base.mapPlistObject(Int.self).setObject(7, forKey: "a")
    #expect(base.objects["a"]?.starts(with: Array("bplist".utf8)) == true, "binary, where none is given")
  }

  @Test("a view with custom coders does not use objects cached by views with other coders")
  func formats() {
    let mine = Transformer.codable(Event.self, encoder: encoder, decoder: decoder)
    #expect(!mine.coding.isSame(as: Transformer.codable(Event.self).coding))
    #expect(mine.coding.isSame(as: mine.coding))
  }
}
