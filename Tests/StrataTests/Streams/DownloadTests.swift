import Foundation
import Strata
import TestSupport
import Testing

/// Values that are downloaded once, and read while they are stored.
@Suite("Downloads", .timeLimit(.minutes(5)), .endsInTime)
struct DownloadTests {
  private let value = noise(1_200_000)
  private let parts = PartStorage()
  private let loads = Count()

  private func store(_ transformer: Transformer<Data> = .data) -> AsyncStorage<String, Data> {
    AsyncStorage(front: MemoryStorage<String, TypeWrapper>(), back: parts, transformer: transformer)
  }

  /// The value as a source that counts how often it is opened, and may be held or fail.
  private func source(
    _ gate: Gate? = nil, expiry: Expiry = .never, failing failure: (any Error)? = nil
  ) -> StoredBytes {
    loads.add()
    return StoredBytes(length: value.count, expiry: expiry) { [value] range in
      let rest = Locked(value[range])
      return AsyncThrowingStream {
        await gate?.pass()
        return try rest.withLock { rest in
          if rest.count < 600_000, let failure { throw failure }
          defer { rest = rest.dropFirst(50_000) }
          return rest.isEmpty ? nil : rest.prefix(50_000)
        }
      }
    }
  }

  @Test("many readers share one download", arguments: [Transformer<Data>.data, .data.zlib(level: 1)])
  func shared(transformer: Transformer<Data>) async throws {
    let store = store(transformer)
    let gate = Gate(holding: 1)
    let readers = (0..<8).map { index in
      Task {
        // Every second reader goes through a view of its own.
        let bytes =
          index.isMultiple(of: 2)
          ? try await store.read(forKey: "a") { source(gate) }
          : try await store.transform(to: transformer).read(forKey: "a") { source(gate) }
        return try await bytes.data()
      }
    }
    await gate.arrivals(1)
    gate.open()
    for reader in readers { #expect(try await reader.value == value) }
    #expect(loads.value == 1)
    #expect(try await store.object(forKey: "a") == value)
    #expect(try await store.read(forKey: "a") { source() }.data() == value)
    #expect(loads.value == 1)
  }

  @Test("a reader has the first bytes before the last ones are there")
  func early() async throws {
    let store = store()
    let gate = Gate(holding: 0)
    let bytes = try await store.read(forKey: "a") { source(gate, expiry: .seconds(60)) }
    #expect(bytes.length == value.count)
    var reader = bytes.makeAsyncIterator()
    #expect(try await reader.next() == value.prefix(50_000))
    #expect(try await store.objectIfPresent(forKey: "a") == nil)
    let second = try await store.read(forKey: "a", range: 10..<40) { source() }
    #expect(try await second.data() == value[10..<40])
    while try await reader.next() != nil {}
    #expect(try await store.entry(forKey: "a").expiry != .never)
    #expect(loads.value == 1)
  }

  @Test("an error in the middle is thrown to all readers, and the next one loads again")
  func failing() async throws {
    let store = store()
    let bytes = try await store.read(forKey: "a") { source(failing: Failure.second) }
    for _ in 0..<2 {
      var data = Data()
      await #expect(throws: Failure.second) { for try await part in bytes { data += part } }
      #expect(data == value.prefix(650_000))
    }
    #expect(try await store.objectIfPresent(forKey: "a") == nil)
    await #expect(throws: Failure.first) { try await store.read(forKey: "b") { throw Failure.first } }
    #expect(try await store.read(forKey: "b") { source() }.data() == value)
  }

  @Test("a caller that comes after a failure loads again, although a reader of the failed download is left")
  func afterFailure() async throws {
    let store = store()
    let failed = try await store.read(forKey: "a") { source(failing: Failure.second) }
    await #expect(throws: Failure.second) { try await failed.data() }
    #expect(try await store.read(forKey: "a") { source() }.data() == value)
    #expect(loads.value == 2)
    await #expect(throws: Failure.second) { try await failed.data() }
  }

  @Test("an error of the store is thrown to all readers")
  func refusingStore() async throws {
    let store = store()
    parts.limit(500_000)
    let bytes = try await store.read(forKey: "a") { source() }
    await #expect(throws: StorageError.tooLarge) { try await bytes.data() }
    #expect(try await store.objectIfPresent(forKey: "a") == nil)
  }

  @Test(
    "a change during the download stays, and the readers get what they began to read",
    arguments: ["write", "remove", "removeAll"])
  func changed(how: String) async throws {
    let store = store()
    var reader = try await store.read(forKey: "a") { source() }.makeAsyncIterator()
    var data = try await reader.next() ?? Data()
    switch how {
    case "write": try await store.setObject(Data([7]), forKey: "a")
    case "remove": try await store.removeObject(forKey: "a")
    default: try await store.removeAll()
    }
    while let part = try await reader.next() { data += part }
    #expect(data == value)
    #expect(try await store.objectIfPresent(forKey: "a") == (how == "write" ? Data([7]) : nil))
    _ = try await store.read(forKey: "a") { source() }.data()
    #expect(loads.value == (how == "write" ? 1 : 2))
  }

  @Test("a removal during the download ends its sharing")
  func removedMeanwhile() async throws {
    let store = store()
    let first = try await store.read(forKey: "a") { source() }
    try await store.removeObject(forKey: "a")
    let second = try await store.read(forKey: "a") { source() }
    #expect(loads.value == 2)
    #expect(try await first.data() == value)
    #expect(try await second.data() == value)
    #expect(try await store.object(forKey: "a") == value)
  }

  @Test(
    "a reader that begins after a write during the download gets what was written", arguments: [false, true])
  func writtenMeanwhile(_ isStream: Bool) async throws {
    let store = store()
    let first = try await store.read(forKey: "a") { source() }
    let news = Data([7])
    if isStream {
      try await store.write(forKey: "a", from: PartSequence(news))
    } else {
      try await store.setObject(news, forKey: "a")
    }
    let second = try await store.read(forKey: "a") { source() }
    #expect(try await second.data() == news)
    #expect(try await first.data() == value)
    #expect(try await store.object(forKey: "a") == news)
    #expect(loads.value == 1)
  }

  @Test("an empty value is stored at once; plain stores and synchronous ones download too")
  func others() async throws {
    let empty = StoredBytes(Data())
    #expect(try await store().read(forKey: "a") { empty }.length == 0)
    #expect(try await store().object(forKey: "a").isEmpty)
    #expect(try await parts.read(forKey: "b") { source() }.data() == value)
    #expect(parts.stored("b") == value)
    let memory = MemoryStorage<String, Data>()
    #expect(try await memory.read(forKey: "b") { source() }.data() == value)
    #expect(memory.peek(forKey: "b")?.object == value)
    let folder = TemporaryFolder()
    let sync = try Storage<String, Data>(
      diskConfig: DiskConfig(name: "disk", directory: folder.url), transformer: .data)
    #expect(try await sync.read(forKey: "b") { source() }.data() == value)
    #expect(try blocking { try sync.object(forKey: "b") } == value)
  }
}
