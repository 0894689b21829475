import Foundation
import Strata
import StrataSodium
import TestSupport
import Testing

/// No output of an error of an encrypted or secret chain contains any part of a value.
@Suite(.endsInTime) struct CanaryTests {
  private let ring: KeyRing
  init() throws { ring = KeyRing(try SecretKey()) }

  /// The chains over one byte store, by name.
  private func chains<V: Codable & Sendable>(
    _ type: V.Type, over bytes: DictionaryStorage<String, Data>
  ) -> [(name: String, chain: any StorageAware<String, V>)] {
    let link = bytes.encrypted(with: ring, domain: "birds")
    let sealed = Transformer.codable(type).encrypted(with: ring)
    return [
      ("transform", link.transform(to: type)),
      ("storage", Storage(front: MemoryStorage(), back: link, transformer: .codable(type))),
      ("plist", Storage(front: MemoryStorage(), back: link, transformer: .propertyList(type))),
      ("zlib", Storage(front: MemoryStorage(), back: link, transformer: .codable(type).zlib())),
      ("mapJSONObject", link.mapJSONObject(type)),
      ("mapPlistObject", link.mapPlistObject(type, format: .xml)),
      ("hidden", link.obscureWrappedStorages().mapJSONObject(type)),
      ("async", SlowStorage(bytes).encrypted(with: ring, domain: "birds").transform(to: type)),
      ("custom", link.transform(to: Self.talkative(type))),
      ("transformer", bytes.transform(to: sealed)),
      ("transformer, then zlib", bytes.transform(to: sealed.then(.zlib()))),
      ("zlib, then encrypted", bytes.transform(to: Transformer.codable(type).zlib().encrypted(with: ring))),
      ("custom, then encrypted", bytes.transform(to: Self.talkative(type).encrypted(with: ring))),
      ("confidential", bytes.transform(to: Self.talkative(type).confidential())),
      ("own encryption", bytes.transform(to: Self.talkative(type).then(Self.ownEncryption.confidential()))),
    ]
  }

  /// JSON whose errors quote the value that could not be read or written.
  private static func talkative<V: Codable & Sendable>(_ type: V.Type) -> Transformer<V> {
    Transformer(
      toData: { value in
        do { return try JSONEncoder().encode(value) } catch {
          throw StorageError(.init("cannot write \(value)"), "\(Canary.text) \(error)", cause: error)
        }
      },
      fromData: { data in
        do { return try JSONDecoder().decode(type, from: data) } catch {
          throw Mistakes.Talkative.Refused(value: String(decoding: data, as: UTF8.self))
        }
      })
  }

  private static let ownEncryption = ByteTransformer(
    encode: { Data($0.map { $0 ^ 0xFF }) }, decode: { Data($0.map { $0 ^ 0xFF }) })

  /// Writes a bird, and reads it as another type through each chain. Returns the number of errors.
  private func read<V: Codable & Sendable>(_ type: V.Type) async throws -> Int {
    var count = 0
    let bytes = DictionaryStorage<String, Data>()
    for ((name, birds), (_, others)) in zip(chains(Bird.self, over: bytes), chains(type, over: bytes)) {
      // "plist" has separate chains.
      try await birds.setObject(Bird(), forKey: "a", expiry: nil)
      let reads: [() async throws -> Any?] = [
        { try await others.entryIfPresent(forKey: "a") }, { try await others.entries(forKeys: ["a"]) },
      ]
      for read in reads {
        do {
          let value = try await read()
          Issue.record("\(name) read \(type): \(String(describing: value))")
        } catch {
          count += 1
          let shown = Canary.renderings(of: error)
          #expect(Canary.traces(in: shown) == [], "\(name), \(type): \(shown)")
          #expect(error is StorageError, "\(name): \(error)")
        }
      }
    }
    return count
  }

  @Test func aValueOfAnotherTypeIsNotQuoted() async throws {
    var count = 0
    count += try await read(Mistakes.NumberForText.self)
    count += try await read(Mistakes.SmallNumber.self)
    count += try await read(Mistakes.NumbersForTexts.self)
    count += try await read(Mistakes.NumberInDictionary.self)
    count += try await read(Mistakes.OneOfTwo.self)
    count += try await read(Mistakes.MissingField.self)
    count += try await read(Mistakes.NullInNest.self)
    count += try await read(Mistakes.KeyOfContents.self)
    count += try await read(Mistakes.Talkative.self)
    count += try await read([Int].self)
    count += try await read(String.self)
    #expect(count == 11 * 15 * 2)
  }

  @Test func aValueThatCannotBeWrittenIsNotQuoted() async throws {
    func write<V: Codable & Sendable>(_ value: V, but allowed: Set<String> = []) async throws {
      let bytes = DictionaryStorage<String, Data>()
      for (name, chain) in chains(V.self, over: bytes) where !allowed.contains(name) {
        for write in [
          { try await chain.setObject(value, forKey: "a", expiry: nil) },
          { try await chain.setObjects(["a": value], expiry: nil) },
          { try await chain.set(value, forKey: "a") },
        ] {
          do {
            try await write()
            Issue.record("\(name) wrote \(value)")
          } catch {
            let shown = Canary.renderings(of: error)
            #expect(Canary.traces(in: shown) == [], "\(name), \(V.self): \(shown)")
          }
        }
      }
      #expect(bytes.objects.isEmpty)
    }
    for kind in 0..<5 { try await write(Mistakes.Talkative(kind: kind)) }
    // Property lists can represent infinity.
    try await write(Mistakes.Endless(), but: ["plist", "mapPlistObject"])
    try await write(Mistakes.KeyOfContents(), but: ["plist", "mapPlistObject"])
  }

  /// Over any store: documents truncated and damaged before they were encrypted, and ciphertext damaged afterwards.
  @Test func damagedValuesAreNotQuoted() async throws {
    let bytes = DictionaryStorage<String, Data>()
    let link = bytes.encrypted(with: ring, domain: "birds")
    let step = Transformer.data.encrypted(with: ring)
    var generator = SeededGenerator(seed: Soak.seed)
    let xml = try Transformer<Bird>.propertyList(Bird.self, format: .xml).toData(Bird())
    let documents = [
      try JSONEncoder().encode(Bird()), xml, try Transformer<Bird>.propertyList(Bird.self).toData(Bird()),
      try Transformer<Bird>.codable(Bird.self).zlib().toData(Bird()),
    ]
    var refused = 0
    let rounds = Soak.rounds(2, soak: 400)
    for document in documents {
      for round in 0..<rounds {
        var damaged = document
        if round.isMultiple(of: 2) {
          damaged = Data(document.prefix(Int.random(in: 0..<document.count, using: &generator)))
        } else {
          let index = Int.random(in: 0..<document.count, using: &generator)
          damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
        }
        try blocking {
          try link.setObject(damaged, forKey: "link")
          try bytes.setObject(step.toData(damaged), forKey: "step")
          try bytes.setObject(damaged, forKey: "plain")
        }
        for (name, chain) in chains(Bird.self, over: bytes) where name != "own encryption" {
          for key in ["link", "step", "plain"] {
            // A value stored without encryption can be read by a chain that does not encrypt.
            do { _ = try await chain.entryIfPresent(forKey: key) } catch {
              refused += 1
              let shown = Canary.renderings(of: error)
              #expect(Canary.traces(in: shown) == [], "\(name), seed \(Soak.seed): \(shown)")
            }
          }
        }
      }
    }
    #expect(refused > rounds * 50)
  }

  /// The step works on bytes that are not encrypted yet, and its errors contain them.
  @Test func aStepAfterAConfidentialTransformerIsNotQuoted() throws {
    let refuse = { @Sendable (data: Data) -> Data in
      throw Mistakes.Talkative.Refused(value: String(decoding: data, as: UTF8.self))
    }
    let bird = Transformer.codable(Bird.self).confidential()
    let (writes, reads) = (
      ByteTransformer(encode: refuse, decode: { $0 }), ByteTransformer(encode: { $0 }, decode: refuse)
    )
    for (encrypts, below) in [(true, DictionaryStorage<String, Data>()), (false, DictionaryStorage())] {
      func chain(_ step: ByteTransformer) -> any SyncStorageAware<String, Bird> {
        encrypts
          ? below.encrypted(with: ring).transform(to: bird.then(step).then(.zlib()))
          : below.transform(to: bird.then(step).then(.zlib()))
      }
      try chain(reads).setObject(Bird(), forKey: "a", expiry: nil)
      for use in [
        { try chain(writes).setObject(Bird(), forKey: "b", expiry: nil) },
        { _ = try chain(reads).entryIfPresent(forKey: "a") },
      ] {
        let error = try #require(throws: StorageError.self) { try use() }
        let shown = Canary.renderings(of: error)
        #expect(Canary.traces(in: shown) == [], "\(shown)")
        #expect("\(error)".contains("Refused was thrown"))
      }
    }
  }

  @Test func jsonAndPropertyListMapsDoNotQuote() async throws {
    let bytes = DictionaryStorage<String, Data>()
    let link = bytes.encrypted(with: ring)
    for document in [
      "[\"\(Canary.text)\"", "\(Canary.text)", "{\"\(Canary.text)\": \(Canary.number)\(Canary.number)x}",
    ] {
      try blocking { try link.setObject(Data(document.utf8) + Data([0xFF]), forKey: "a") }
      let reads: [() throws -> Any?] = [
        { try link.mapJSON().object(forKey: "a") }, { try link.mapJSONDictionary().object(forKey: "a") },
        { try link.mapPlist().object(forKey: "a") }, { try link.mapPlistDictionary().object(forKey: "a") },
        { try link.mapString().object(forKey: "a") },
        { try link.mapString(withEncoding: .ascii).object(forKey: "a") },
      ]
      for read in reads {
        let error = try #require(throws: StorageError.self) { try blocking { try read() } }
        #expect(Canary.traces(in: Canary.renderings(of: error)) == [])
      }
    }
  }

  @Test func secretsAreNotQuoted() async throws {
    let store = DictionaryStorage<String, Data>().transform(to: .secret(Bird.self, with: ring))
    let secret = try Secret(Bird())
    try blocking { try store.setObject(secret, forKey: "a") }
    let read = try blocking { try store.object(forKey: "a") }
    var shown = "\(store) \(read) \(String(reflecting: read))"
    dump(store, to: &shown)
    let bytes = secret.withBytes { Data($0) }
    let others = [
      { _ = try Secret<Mistakes.Talkative>(count: bytes.count, bytes).reveal() },
      { _ = try Secret<[Int]>(count: bytes.count, bytes).reveal() },
      { _ = try Secret(Mistakes.Talkative(kind: 1)) }, { _ = try Secret(Mistakes.Endless()) },
    ]
    for use in others {
      let error = try #require(throws: (any Error).self) { try use() }
      shown += Canary.renderings(of: error)
    }
    #expect(Canary.traces(in: shown) == [])
  }

  /// A dump of a chain shows neither the contents of its memory nor those of its store.
  @Test func aDumpOfAChainShowsNoValue() async throws {
    let bytes = DictionaryStorage<String, Data>()
    let storage = Storage(
      front: MemoryStorage(), back: bytes.encrypted(with: ring), transformer: .codable(Bird.self))
    try blocking { try storage.setObject(Bird(), forKey: "a") }
    var shown = "\(storage) \(String(reflecting: storage)) \(storage.storageHierarchy())"
    dump(storage, to: &shown)
    dump(storage.async, to: &shown)
    dump(TypeWrapper.holding(Bird(), transformer: .codable(Bird.self)), to: &shown)
    #expect(Canary.traces(in: shown) == [])
    #expect(try blocking { try storage.object(forKey: "a") } == Bird())
  }

  /// Errors keep the code, the key, the type, and the position in the value.
  @Test func errorsContainKeyTypeAndPosition() throws {
    let bytes = DictionaryStorage<String, Data>()
    let birds = bytes.encrypted(with: ring).transform(to: Bird.self)
    try birds.setObject(Bird(), forKey: "a")
    func error<V: Codable & Sendable>(_ type: V.Type) throws -> String {
      let error = try #require(throws: StorageError.typeNotMatch) {
        try bytes.encrypted(with: ring).transform(to: type).object(forKey: "a")
      }
      #expect(error.key as? String == "a")
      return "\(error)"
    }
    #expect(try error(Mistakes.NumberInDictionary.self).contains("there is no Int at .notes.*.*;"))
    #expect(try error(Mistakes.NumbersForTexts.self).contains("there is no Int at .songs[0];"))
    #expect(try error(Mistakes.MissingField.self).contains("a field is missing at .age;"))
    #expect(try error(Mistakes.Talkative.self).contains("Refused was thrown;"))
    #expect(try error(Mistakes.OneOfTwo.self).contains("the data is corrupted at .name;"))
  }

  /// The canary is found where nothing is confidential, so the tests above could fail.
  @Test func chainsThatAreNotConfidentialDoQuote() throws {
    let bytes = DictionaryStorage<String, Data>()
    try bytes.transform(to: Bird.self).setObject(Bird(), forKey: "a")
    for read in [
      { _ = try bytes.transform(to: Mistakes.OneOfTwo.self).object(forKey: "a") },
      { _ = try bytes.mapJSONObject(Mistakes.NumberInDictionary.self).object(forKey: "a") },
      { _ = try bytes.transform(to: Mistakes.Talkative.self).object(forKey: "a") },
    ] {
      let error = try #require(throws: StorageError.self) { try read() }
      #expect(Canary.traces(in: Canary.renderings(of: error)) != [])
    }
  }
}

extension Secret {
  /// Returns a secret with the bytes of a secret of another type.
  fileprivate init(count: Int, _ bytes: Data) throws {
    let secret = try Secret<Data>(count: count) { $0.copyBytes(from: bytes) }
    self.init(secret.bytes)
  }
}
