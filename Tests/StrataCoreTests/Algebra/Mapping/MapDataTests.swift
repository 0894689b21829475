import Foundation
import StrataAlgebra
import StrataCore
import StrataDelegate
import StrataEngines
import TestSupport
import Testing

/// A conversion of bytes, tested on every kind of store.
private struct DataMapping: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Checks that every store reads the bytes of every other, and that all refuse invalid bytes.
  let check: @Sendable () async throws -> Void

  init<Value: Sendable & Equatable>(
    _ name: String, _ values: [Value], refused: String?,
    sync: @escaping @Sendable (RichStorage<Data>) -> any SyncStorageAware<String, Value>,
    aware:
      @escaping @Sendable (SlowStorage<DictionaryStorage<String, Data>>) -> any StorageAware<String, Value>,
    both: @escaping @Sendable (Halves) -> any ReadableStorage<String, Value> & WritableStorage<String, Value>,
    read: @escaping @Sendable (ReadOnlyHalf) -> any ReadableStorage<String, Value>,
    write: @escaping @Sendable (WriteOnlyHalf) -> any WritableStorage<String, Value>
  ) {
    testDescription = name
    let bytes = refused.map { Data($0.utf8) } ?? Data([0xFF])
    check = {
      let base = DictionaryStorage<String, Data>()
      let rich = RichStorage(base)
      let synchronous = sync(rich)
      let asynchronous = aware(SlowStorage(base))
      let together = both(Halves(base: base))
      let reading = read(ReadOnlyHalf(base: base))
      let writing = write(WriteOnlyHalf(base: base))
      for store: any StorageDesign in [synchronous, asynchronous, together, reading, writing] {
        #expect(store.storageName == name && store.wrappedStorages.count == 1)
      }
      for value in values {
        for writer in [writing, synchronous, asynchronous, together] {
          try await writer.set(value, forKey: "key")
          #expect(try blocking { try synchronous.object(forKey: "key") } == value)
          for reader in [reading, synchronous, asynchronous, together] {
            #expect(try await reader.retrieve(forKey: "key") == value)
          }
          try blocking { try base.removeAll() }
        }
        try blocking { try synchronous.setObject(value, forKey: "key", expiry: .date(.distantFuture)) }
        #expect(try await asynchronous.entryIfPresent(forKey: "key")?.expiry == .date(.distantFuture))
        #expect(synchronous.peek(forKey: "key") == nil, "a peek does not decode")
      }
      try blocking { try base.setObject(bytes, forKey: "key") }
      for reader in [reading, synchronous, asynchronous, together] {
        let error = try await #require(throws: StorageError.self) { try await reader.retrieve(forKey: "key") }
        #expect(error == .typeNotMatch && error.key as? String == "key")
        #expect(error.cause as? StorageError == .decodingFailed)
      }
      #expect(base.objects == ["key": bytes])
    }
  }
}

private struct Halves: ReadableStorage, WritableStorage {
  let base: DictionaryStorage<String, Data>
  func retrieve(forKey key: String) async throws -> Data { try await base.retrieve(forKey: key) }
  func set(_ value: Data, forKey key: String) async throws { try await base.set(value, forKey: key) }
}

private struct ReadOnlyHalf: ReadableStorage {
  let base: DictionaryStorage<String, Data>
  func retrieve(forKey key: String) async throws -> Data { try await base.retrieve(forKey: key) }
}

private struct WriteOnlyHalf: WritableStorage {
  let base: DictionaryStorage<String, Data>
  func set(_ value: Data, forKey key: String) async throws { try await base.set(value, forKey: key) }
}

private let mappings = [
  DataMapping(
    "mapString", ["", "x", "\u{FEFF}日本"], refused: nil, sync: { $0.mapString() }, aware: { $0.mapString() },
    both: { $0.mapString() }, read: { $0.mapString() }, write: { $0.mapString() }),
  DataMapping(
    "mapJSON", [["a": [1, nil, "x"]], 5, nil], refused: "{", sync: { $0.mapJSON() }, aware: { $0.mapJSON() },
    both: { $0.mapJSON() }, read: { $0.mapJSON() }, write: { $0.mapJSON() }),
  DataMapping(
    "mapJSONDictionary", [["a": [1, nil, "x"]], [:]], refused: "[]", sync: { $0.mapJSONDictionary() },
    aware: { $0.mapJSONDictionary() }, both: { $0.mapJSONDictionary() }, read: { $0.mapJSONDictionary() },
    write: { $0.mapJSONDictionary() }),
  DataMapping(
    "mapJSONObject(Person)", [Person(), Person(friend: "Charles")], refused: "{}",
    sync: { $0.mapJSONObject(Person.self) }, aware: { $0.mapJSONObject(Person.self) },
    both: { $0.mapJSONObject(Person.self) }, read: { $0.mapJSONObject(Person.self) },
    write: { $0.mapJSONObject(Person.self) }),
  DataMapping(
    "mapPlist", [["a": [1, "x"]], 5, [5]], refused: "<", sync: { $0.mapPlist() }, aware: { $0.mapPlist() },
    both: { $0.mapPlist() }, read: { $0.mapPlist() }, write: { $0.mapPlist() }),
  DataMapping(
    "mapPlistDictionary", [["a": [1, "x"]], [:]], refused: "<", sync: { $0.mapPlistDictionary() },
    aware: { $0.mapPlistDictionary(format: .xml) }, both: { $0.mapPlistDictionary() },
    read: { $0.mapPlistDictionary() }, write: { $0.mapPlistDictionary(format: .xml) }),
  DataMapping(
    "mapPlistObject(Person)", [Person(), Person(friend: "Charles")], refused: "<",
    sync: { $0.mapPlistObject(Person.self) }, aware: { $0.mapPlistObject(Person.self, format: .xml) },
    both: { $0.mapPlistObject(Person.self) }, read: { $0.mapPlistObject(Person.self) },
    write: { $0.mapPlistObject(Person.self) }),
]

@Suite struct MapDataTests {
  @Test(arguments: mappings)
  fileprivate func whatOneStoreWritesEachKindOfStoreReads(mapping: DataMapping) async throws {
    try await mapping.check()
  }

  @Test func whatCannotBeEncodedIsNotStored() throws {
    let bytes = DictionaryStorage<String, Data>()
    let errors = try [
      #require(throws: StorageError.self) {
        try bytes.mapJSONObject(Refusing.self).setObject(Refusing(), forKey: "a")
      },
      #require(throws: StorageError.self) {
        try bytes.mapString(withEncoding: .ascii).setObject("é", forKey: "a")
      },
      #require(throws: StorageError.self) {
        try bytes.mapPlistDictionary().setObject(["x": .number(.integer(.max))], forKey: "a")
      },
    ]
    for error in errors { #expect(error == .encodingFailed && error.key as? String == "a") }
    #expect(bytes.objects.isEmpty)
  }

  @Test(arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf32])
  func textComesBackFromEveryUnicodeEncoding(encoding: String.Encoding) throws {
    let bytes = DictionaryStorage<String, Data>()
    let texts = bytes.mapString(withEncoding: encoding)
    for text in ["", "x", "日本 👩‍👩‍👧‍👦", "\u{FEFF}marked", "a\u{0}b"] {
      try texts.setObject(text, forKey: "a")
      #expect(try texts.object(forKey: "a").unicodeScalars.elementsEqual(text.unicodeScalars))
    }
  }
}
