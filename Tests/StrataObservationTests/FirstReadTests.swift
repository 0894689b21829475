import Foundation
import StrataObservation
import StrataTestKit
import TestSupport
import Testing

private struct Profile: Codable, Sendable, Equatable {
  var name = "nobody"
  var tags: [String] = []
}

/// The property of a model whose store is given by a test.
@MainActor
private final class Model {
  @Stored var profile: Profile

  init(_ store: some StorageAware<String, Profile>) {
    _profile = Stored(wrappedValue: Profile(), "profile", in: store)
  }

  var phase: StoredPhase { _profile.storedValue.phase }

  func append(_ tag: String) { _profile.update { $0.tags.append(tag) } }
}

@Suite("A stored property before its first read", .endsInTime)
@MainActor
struct FirstReadTests {
  private let stored = Profile(name: "Ada", tags: ["old"])
  private let transformer = Transformer.codable(Profile.self)

  private func bytes(_ profile: Profile?) throws -> DictionaryStorage<String, Data> {
    DictionaryStorage(try profile.map { ["profile": try transformer.toData($0)] } ?? [:])
  }

  private func stored(in bytes: DictionaryStorage<String, Data>) throws -> Profile? {
    try bytes.objects["profile"].map { try transformer.fromData($0) }
  }

  /// The chains that can be read without `await`, each opened for the first time: nothing is in memory.
  nonisolated enum Readable: CaseIterable {
    case storage, async, bare, mapped

    fileprivate func of(_ bytes: DictionaryStorage<String, Data>) -> any StorageAware<String, Profile> {
      let storage = Storage(
        front: MemoryStorage<String, TypeWrapper>(), back: bytes, transformer: .codable(Profile.self))
      switch self {
      case .storage: return storage
      case .async: return storage.async
      case .bare: return Storage(back: bytes, transformer: .codable(Profile.self))
      case .mapped: return storage.mapValues(to: Profile.self, mapTo: { $0 }, mapFrom: { $0 })
      }
    }
  }

  @Test(
    "where it can be read without await, the first read is of what is stored", arguments: Readable.allCases)
  func reading(_ chain: Readable) async throws {
    let model = Model(chain.of(try bytes(stored)))
    #expect(model.profile == stored && model.phase.isLoaded)
  }

  @Test("a change in place at launch is made on what is stored", arguments: Readable.allCases)
  func changing(_ chain: Readable) async throws {
    let bytes = try bytes(stored)
    let model = Model(chain.of(bytes))
    model.profile.tags.append("run")
    #expect(model.profile == Profile(name: "Ada", tags: ["old", "run"]))
    await until { (try? self.stored(in: bytes)) == Profile(name: "Ada", tags: ["old", "run"]) }
  }

  @Test(
    "where a read has to wait, a change in place does not destroy what is stored", arguments: [false, true])
  func waiting(ofBinding: Bool) async throws {
    let bytes = try bytes(stored)
    let slow = SlowStorage(bytes)
    let model = Model(AsyncStorage(back: slow, transformer: transformer))
    let gate = slow.stop(.read)
    #expect(model.profile == Profile() && model.phase.isLoading)
    await gate.arrivals(1)
    if ofBinding { model.$profile.name.wrappedValue = "Eve" } else { model.profile.tags.append("run") }
    #expect(model.phase.isLoading)
    gate.open()
    await until { model.phase.error != nil }
    #expect(model.profile == stored)
    #expect(try self.stored(in: bytes) == stored)
    model.profile.tags.append("run")
    await until { (try? self.stored(in: bytes)) == Profile(name: "Ada", tags: ["old", "run"]) }
    #expect(model.phase.error == nil)
  }

  @Test("a change in place of a default that nobody has stored is stored", arguments: [false, true])
  func unstored(isEqual: Bool) async throws {
    let bytes = try bytes(isEqual ? Profile() : nil)
    let slow = SlowStorage(bytes)
    let model = Model(AsyncStorage(back: slow, transformer: transformer))
    let gate = slow.stop(.read)
    model.profile.tags.append("one")
    model.profile.tags.append("two")
    #expect(model.profile.tags == ["one", "two"] && model.phase.isLoading)
    await gate.arrivals(1)
    model.profile.tags.append("three")
    gate.open()
    await until { (try? self.stored(in: bytes)) == Profile(tags: ["one", "two", "three"]) }
    await until { model.phase.isLoaded }
    #expect(model.profile.tags == ["one", "two", "three"])
  }

  @Test("an update waits, and is made on what is stored, or on the default", arguments: [false, true])
  func updating(isStored: Bool) async throws {
    let bytes = try bytes(isStored ? stored : nil)
    let slow = SlowStorage(bytes)
    let model = Model(AsyncStorage(back: slow, transformer: transformer))
    let gate = slow.stop(.read)
    model.append("one")
    model.append("two")
    #expect(model.profile == Profile() && model.phase.isLoading)
    gate.open()
    let expected =
      isStored ? Profile(name: "Ada", tags: ["old", "one", "two"]) : Profile(tags: ["one", "two"])
    await until { (try? self.stored(in: bytes)) == expected && model.profile == expected }
    #expect(model.phase.isLoaded)
  }

  @Test("a new value replaces what is stored, read or not")
  func replacing() async throws {
    let bytes = try bytes(stored)
    let slow = SlowStorage(bytes)
    let model = Model(AsyncStorage(back: slow, transformer: transformer))
    let gate = slow.stop(.read)
    #expect(model.profile == Profile())
    await gate.arrivals(1)
    model.profile = Profile(name: "Grace")
    model.profile.tags.append("new")
    gate.open()
    await until { (try? self.stored(in: bytes)) == Profile(name: "Grace", tags: ["new"]) }
  }

  @Test("a change in place waits for a loader, and does not replace what it finds")
  func loading() async throws {
    let gate = Gate(holding: 1)
    let bytes = try bytes(nil)
    let loading = AsyncStorage(back: bytes, transformer: transformer).loading { [stored] _ in
      await gate.pass()
      return .value(stored)
    }
    let model = Model(loading)
    #expect(model.profile == Profile())
    await gate.arrivals(1)
    model.profile.tags.append("run")
    gate.open()
    await until { model.phase.error != nil }
    #expect(model.profile == stored)
    #expect(try await loading.object(forKey: "profile") == stored)
  }

  @Test("an update before the first load is made on what is stored", arguments: [false, true])
  func updatingValue(loads: Bool) async throws {
    let bytes = try bytes(stored)
    let slow = SlowStorage(bytes)
    let store = AsyncStorage(back: slow, transformer: transformer)
    let gate = slow.stop(.read)
    let profile =
      loads
      ? StoredValue(store.loading { _ in .value(Profile(name: "loaded")) }, forKey: "profile")
      : StoredValue(store, forKey: "profile")
    func updateWithoutAwait() { profile.update { $0.tags.append("run") } }
    updateWithoutAwait()
    #expect(profile.value == nil && profile.phase.isLoading)
    gate.open()
    await until { profile.value == Profile(name: "Ada", tags: ["old", "run"]) }
    #expect(
      try await store.loading(value: { _ in Profile() }).object(forKey: "profile").tags == ["old", "run"])
  }
}
