import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// Tests of compositions in which not every store is `StorageAware`.
@Suite(.timeLimit(.minutes(10)))
struct PlainCompositionTests {
  private let front = DictionaryStorage<String, Int>()
  private let back = DictionaryStorage<String, Int>()

  /// A composition of stores with a kind of key, read and written by the text of the key.
  private struct Face: Sendable {
    let read: @Sendable (String) async throws -> Int
    let write: @Sendable (Int, String) async throws -> Void

    init(_ store: some ReadableStorage<String, Int> & WritableStorage<String, Int>) {
      read = { try await store.retrieve(forKey: $0) }
      write = { try await store.set($0, forKey: $1) }
    }

    init(opaque store: some ReadableStorage<OpaqueKey, Int> & WritableStorage<OpaqueKey, Int>) {
      read = { try await store.retrieve(forKey: OpaqueKey(name: $0)) }
      write = { try await store.set($0, forKey: OpaqueKey(name: $1)) }
    }
  }

  enum Kind: CaseIterable { case plain, opaque, keyedFront, keyedBack }

  private func combined(_ kind: Kind) -> Face {
    switch kind {
    case .plain: Face(PlainStore(front).combined(with: PlainStore(back)))
    case .opaque: Face(opaque: PlainStore(opaque: front).combined(with: PlainStore(opaque: back)))
    case .keyedFront: Face(front.combined(with: PlainStore(back)))
    case .keyedBack: Face(PlainStore(front).combined(with: back))
    }
  }

  private func backed(_ kind: Kind) -> Face {
    switch kind {
    case .plain: Face(PlainStore(front).backed(by: ReadHalf(base: PlainStore(back))))
    case .opaque: Face(opaque: PlainStore(opaque: front).backed(by: ReadHalf(base: PlainStore(opaque: back))))
    case .keyedFront: Face(front.backed(by: ReadHalf(base: back)))
    case .keyedBack: Face(PlainStore(front).backed(by: back))
    }
  }

  private func pushing(_ kind: Kind) -> Face {
    switch kind {
    case .plain: Face(PlainStore(front).pushing(to: WriteHalf(base: PlainStore(back))))
    case .opaque: Face(opaque: PlainStore(opaque: front).pushing(to: PlainStore(opaque: back)))
    case .keyedFront: Face(front.pushing(to: WriteHalf(base: back)))
    case .keyedBack: Face(PlainStore(front).pushing(to: back))
    }
  }

  @Test("combined reads the front, then the back, and writes both", arguments: Kind.allCases)
  func combined(kind: Kind) async throws {
    let face = combined(kind)
    try await back.setObject(1, forKey: "a")
    #expect(try await face.read("a") == 1)
    #expect(front.objects == ["a": 1])
    try await face.write(2, "a")
    #expect(front.objects == ["a": 2] && back.objects == ["a": 2])
    await #expect(throws: StorageError.notFound) { try await face.read("b") }
    front.fail(.read)
    await #expect(throws: Failure.first) { try await face.read("a") }
    front.work()
    back.fail(.write)
    await #expect(throws: Failure.first) { try await face.write(3, "a") }
    // Only a front with removal drops the key.
    #expect(front.objects == (kind == .keyedFront ? [:] : ["a": 2]))
  }

  @Test("backed never writes the back", arguments: Kind.allCases)
  func backed(kind: Kind) async throws {
    let face = backed(kind)
    try await back.setObject(1, forKey: "a")
    #expect(try await face.read("a") == 1)
    #expect(front.objects == ["a": 1])
    try await face.write(2, "a")
    #expect(front.objects == ["a": 2] && back.objects == ["a": 1])
  }

  @Test("pushing reads only the front and writes both, the back first", arguments: Kind.allCases)
  func pushing(kind: Kind) async throws {
    let face = pushing(kind)
    try await back.setObject(1, forKey: "a")
    await #expect(throws: StorageError.notFound) { try await face.read("a") }
    try await face.write(2, "a")
    #expect(front.objects == ["a": 2] && back.objects == ["a": 2])
    back.fail(.write)
    await #expect(throws: Failure.first) { try await face.write(3, "a") }
    #expect(front.objects == ["a": 2])
  }

  @Test("stores that only read can be combined, and so can stores that only write") func halves() async throws
  {
    let read = ReadHalf(base: PlainStore(front)).backed(by: ReadHalf(base: PlainStore(back)))
    try await back.setObject(1, forKey: "a")
    #expect(try await read.retrieve(forKey: "a") == 1)
    #expect(front.objects.isEmpty)
    front.fail(.read)
    await #expect(throws: Failure.first) { try await read.retrieve(forKey: "a") }
    try await WriteHalf(base: PlainStore(front)).pushing(to: WriteHalf(base: PlainStore(back))).set(
      2, forKey: "a")
    #expect(front.objects == ["a": 2] && back.objects == ["a": 2])
  }

  @Test("a value with an expiry is not copied to a front that would keep it for ever") func expiring()
    async throws
  {
    let time = ManualClock()
    let back = DictionaryStorage<String, Int>(clock: time.clock)
    let store = PlainStore(front).combined(with: back)
    try await back.setObject(1, forKey: "a", expiry: .seconds(60))
    #expect(try await store.retrieve(forKey: "a") == 1)
    time.advance(by: 61)
    await #expect(throws: StorageError.notFound) { try await store.retrieve(forKey: "a") }
    #expect(front.objects.isEmpty)
  }

  @Test("a hundred concurrent misses of a key with an inequality to itself read the back once")
  func opaqueMisses()
    async throws
  {
    let slow = SlowStorage(back)
    try await back.setObject(1, forKey: "a")
    let store = PlainStore(opaque: front).backed(by: SlowReading(slow: slow))
    let gate = slow.stop(.read)
    let readers = (0..<100).map { _ in Task { try await store.retrieve(forKey: OpaqueKey(name: "a")) } }
    await gate.arrivals(1)
    gate.open()
    for reader in readers { #expect(try await reader.value == 1) }
    #expect(back.calls(.read) == 1)
  }
}

private struct SlowReading: ReadableStorage {
  let slow: SlowStorage<DictionaryStorage<String, Int>>
  func retrieve(forKey key: OpaqueKey) async throws -> Int { try await slow.object(forKey: key.name) }
}
