import Foundation
import Strata
import TestSupport
import Testing

@Suite struct TransformTests {
  private struct Name: Codable, Equatable, Sendable { var name: String }
  private struct Point: Codable, Equatable, Sendable { var x: Int }

  /// The place where a read finds the value: memory, the tier behind it, or a store opened again.
  enum Source: CaseIterable, Sendable { case memory, behind, restarted }

  private static let cases = ChainKind.allCases.flatMap { kind in
    Source.allCases.filter { $0 == .memory || kind.outlivesRestart }.map { (kind, $0) }
  }

  /// Returns the store after a write, in the state that a case requires.
  private func stored(
    _ user: User, in chains: Chains, from source: Source
  ) throws -> Storage<String, User> {
    let storage = try chains.open(User.self)
    try storage.setObject(user, forKey: "ada")
    switch source {
    case .memory: return storage
    case .behind:
      try storage.removeInMemoryObject(forKey: "ada")
      return storage
    case .restarted: return try chains.open(User.self)
    }
  }

  @Test("a view of another type reads values that can be decoded as it", arguments: cases)
  func fitting(kind: ChainKind, source: Source) throws {
    let storage = try stored(User(name: "Ada", visits: 3), in: Chains(kind), from: source)
    // Three reads each: the first decodes, the others use its cached result.
    let names = storage.transform(
      to: kind == .compressed ? Transformer<Name>.codable(Name.self).zlib() : .codable(Name.self))
    for _ in 0..<3 { #expect(try names.object(forKey: "ada") == Name(name: "Ada")) }
    for _ in 0..<3 { #expect(try storage.object(forKey: "ada") == User(name: "Ada", visits: 3)) }
  }

  @Test("a view of a type that does not fit throws typeNotMatch, and the value is kept", arguments: cases)
  func unfitting(kind: ChainKind, source: Source) async throws {
    let storage = try stored(User(name: "Ada"), in: Chains(kind), from: source)
    let points = storage.transform(to: Point.self)
    let error = #expect(throws: StorageError.self) { try points.object(forKey: "ada") }
    #expect(error == .typeNotMatch)
    let text = error.map(String.init(describing:)) ?? ""
    #expect(text.contains("ada") && text.contains("Point"), "the key and the type: \(text)")
    #expect(error?.cause != nil, "and why")
    await #expect(throws: StorageError.typeNotMatch) { try await points.async.entry(forKey: "ada") }
    await #expect(throws: StorageError.typeNotMatch) {
      try await points.async.update(forKey: "ada") { $0.x = 1 }
    }
    #expect(try blocking { try points.objectExists(forKey: "ada") }, "to exist takes no decoding")
    #expect(try blocking { try storage.object(forKey: "ada") } == User(name: "Ada"))
  }

  @Test("a JSON view has the byte transformations of the chain")
  func steps() throws {
    let back = DictionaryStorage<String, Data>()
    let sealing = ByteTransformer(encode: { Data($0.reversed()) }, decode: { Data($0.reversed()) })
    let json = Transformer<User>.codable(User.self)
    let storage = Storage(back: back, transformer: json.zlib().then(sealing))
    try storage.setObject(User(name: "Ada", visits: 3), forKey: "ada")
    for names in [
      storage.transform(to: Name.self), storage.transformCodable(ofType: Name.self),
      storage.transform(to: Int.self).transform(to: Name.self),
      storage.transform(to: json.zlib().then(sealing)).transform(to: Name.self),
    ] {
      #expect(try names.object(forKey: "ada") == Name(name: "Ada"))
      try names.setObject(Name(name: "Eve"), forKey: "eve")
      let stored = try storage.transformData().object(forKey: "eve")
      #expect(
        try Transformer<Name>.codable(Name.self).zlib().then(sealing).fromData(stored) == Name(name: "Eve"))
    }
  }

  @Test("the same holds for a retyped chain, an ordered store, and an asynchronous store")
  func stepsOfLinks() async throws {
    let back = DictionaryStorage<String, Data>()
    let chain = TypeWrapperStorage(
      HybridStorage(front: MemoryStorage(), back: back),
      transformer: Transformer<User>.codable(User.self).zlib())
    let zipped = Transformer<Name>.codable(Name.self).zlib()
    try blocking { try chain.transform(to: Name.self).setObject(Name(name: "a"), forKey: "a") }
    try blocking { try SyncStorage(chain).transform(to: Name.self).setObject(Name(name: "b"), forKey: "b") }
    try await AsyncStorage(chain).transform(to: Name.self).setObject(Name(name: "c"), forKey: "c")
    try await AsyncStorage(chain).transformCodable(ofType: Name.self).setObject(Name(name: "d"), forKey: "d")
    for (key, data) in back.objects { #expect(try zipped.fromData(data) == Name(name: key)) }
    #expect(back.objects.count == 4)
  }

  @Test("bytes read through Data are the transformer's output", arguments: cases)
  func bytes(kind: ChainKind, source: Source) throws {
    let storage = try stored(User(name: "Ada"), in: Chains(kind), from: source)
    let data = try storage.transformData().object(forKey: "ada")
    let transformer = Transformer<User>.codable(User.self)
    #expect(
      try (kind == .compressed ? transformer.zlib() : transformer).fromData(data) == User(name: "Ada"))
  }

  @Test("bytes stored through Data are read as values", arguments: ChainKind.allCases)
  func writtenAsBytes(kind: ChainKind) throws {
    let storage = try Chains(kind).open(Transformer<User>.codable(User.self))
    guard kind != .compressed else { return }
    try storage.transformData().setObject(Data(#"{"name":"Ada","visits":7}"#.utf8), forKey: "ada")
    #expect(try storage.object(forKey: "ada").visits == 7)
  }

  @Test("views share memory, tiers and order, synchronous and asynchronous", arguments: ChainKind.allCases)
  func sharing(kind: ChainKind) async throws {
    let storage = try Chains(kind).open(User.self)
    let again = storage.transform(to: User.self).transformCodable(ofType: User.self)
    let async = storage.async.transform(to: User.self)
    try await storage.setObject(User(name: "Ada"), forKey: "ada")
    if kind != .compressed {
      #expect(again.peek(forKey: "ada")?.object.name == "Ada")
      #expect(async.peek(forKey: "ada")?.object.name == "Ada")
      try await async.setObject(User(name: "Eve"), forKey: "ada")
      #expect(storage.peek(forKey: "ada")?.object.name == "Eve")
    }
    try await again.removeObject(forKey: "ada")
    #expect(try await storage.objectIfPresent(forKey: "ada") == nil)
    try await withThrowingTaskGroup(of: Void.self) { group in
      try await storage.transform(to: Int.self).setObject(0, forKey: "n")
      for worker in 0..<4 {
        group.addTask {
          let view = storage.transform(to: Int.self)
          for _ in 0..<50 {
            if worker.isMultiple(of: 2) {
              try await view.async.update(forKey: "n") { $0 += 1 }
            } else {
              try blocking { _ = try view.update(forKey: "n") { $0 += 1 } }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await storage.transform(to: Int.self).object(forKey: "n") == 200)
  }

  @Test("every combinator and byte store can be retyped")
  func everywhere() async throws {
    let bytes = DictionaryStorage<String, Data>()
    let chain = TypeWrapperStorage(
      HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: bytes),
      transformer: Transformer<Int>.codable(Int.self))
    try blocking {
      try chain.setObject(65, forKey: "a")
      #expect(try chain.transform(to: Double.self).object(forKey: "a") == 65)
      #expect(try SyncStorage(chain).transform(to: Double.self).object(forKey: "a") == 65)
      #expect(try SyncStorage(chain).transform(to: .data).object(forKey: "a") == Data("65".utf8))
      #expect(try bytes.transform(to: Int.self).object(forKey: "a") == 65)
      #expect(try bytes.transform(to: .data).object(forKey: "a") == Data("65".utf8))
    }
    let slow = SlowStorage(bytes)
    #expect(try await slow.transform(to: Int.self).object(forKey: "a") == 65)
    #expect(try await AsyncStorage(chain).transform(to: Double.self).object(forKey: "a") == 65)
    #expect(try await AsyncStorage(chain).transformData().object(forKey: "a") == Data("65".utf8))
  }
}
