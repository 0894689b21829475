import Foundation
import Strata
import TestSupport
import Testing

/// Faults of the libraries that Strata is based on. Each test would fail with that library.
@Suite("Faults of the roots") struct RootFaultTests {
  @Test("Cache: serves expired objects", arguments: everything)
  func expiredObjects(kind: ChainKind, mode: Mode) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(Int.self)
    try await mode.set(storage, "a", 1, .seconds(1))
    chains.time.advance(by: 2)
    #expect(try await mode.get(storage, "a") == nil)
    #expect(try await storage.async.allObjects() == [])
  }

  @Test("Cache: enforces maxSize only in a sweep")
  func maxSize() throws {
    let folder = TemporaryFolder()
    let storage = try Storage<Int, Data>(
      diskConfig: DiskConfig(name: "small", maxSize: 10_000, directory: folder.url), transformer: .data)
    for key in 0..<50 {
      try storage.setObject(Data(repeating: UInt8(key), count: 1000), forKey: key)
      #expect(try #require(storage.totalDiskStorageSize) <= 10_000)
    }
    #expect(try storage.object(forKey: 49) == Data(repeating: 49, count: 1000))
  }

  @Test("Cache: allKeys is empty after a restart", arguments: ChainKind.allCases.filter(\.outlivesRestart))
  func keysAfterRestart(kind: ChainKind) throws {
    let chains = Chains(kind)
    try chains.open(Int.self).setObjects(["a": 1, "b": 2], expiry: nil)
    #expect(try Set(chains.open(Int.self).allKeys()) == ["a", "b"])
  }

  @Test("Cache: allKeys grows past countLimit in memory")
  func keysPastLimit() throws {
    let memory = MemoryStorage<Int, TypeWrapper>(config: MemoryConfig(countLimit: 10))
    let storage = Storage(TypeWrapperStorage(memory, transformer: Transformer<Int>.codable(Int.self)))
    for key in 0..<100 {
      try storage.setObject(key, forKey: key)
      #expect(try storage.allKeys().count == min(key + 1, 10))
    }
  }

  @Test("Cache: two transformed views have separate memories and disagree", arguments: ChainKind.allCases)
  func disagreeingViews(kind: ChainKind) throws {
    let storage = try Chains(kind).open(User.self)
    let (first, second) = (storage.transform(to: Int.self), storage.transform(to: Int.self))
    try first.setObject(1, forKey: "a")
    #expect(try second.object(forKey: "a") == 1)
    try second.setObject(2, forKey: "a")
    #expect(try first.object(forKey: "a") == 2)
  }

  @Test("Cache: a failed disk write throws nothing", arguments: Mode.allCases)
  func failedWrite(mode: Mode) async throws {
    let disk = DictionaryStorage<String, Data>()
    let storage = Storage(
      front: MemoryStorage<String, TypeWrapper>(), back: disk, transformer: Transformer<Int>.codable(Int.self)
    )
    try await mode.set(storage, "a", 1)
    disk.fail(.write)
    await #expect(throws: Failure.first) { try await mode.set(storage, "a", 2) }
    await #expect(throws: Failure.first) { try await mode.setMany(storage, ["a": 3]) }
    disk.work()
    #expect(try await mode.get(storage, "a") == 1, "the next read sees what is stored")
  }

  @Test("Cache: mixing sync and async use crashes", arguments: ChainKind.allCases)
  func mixing(kind: ChainKind) async throws {
    let storage = try Chains(kind).open([Int].self)
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<30 {
        group.addTask {
          let mode = Mode.allCases[worker % 3]
          await #expect(throws: Never.self) {
            for round in 0..<20 {
              try await mode.set(storage, "\(round % 3)", Array(repeating: worker, count: 100))
              let read = try await mode.get(storage, "\(round % 3)")
              #expect(read.map { Set($0).count == 1 && $0.count == 100 } ?? true)
              if round == 10 { try await mode.removeAll(storage) }
            }
          }
        }
      }
    }
  }

  @Test("Cache: keys that are not strings are hashed with a patched Hasher")
  func otherKeys() throws {
    let folder = TemporaryFolder()
    let config = DiskConfig(name: "numbers", directory: folder.url, layout: .files)
    try Storage<Int, String>(diskConfig: config, transformer: .codable(String.self))
      .setObject("answer", forKey: 42)
    // The name depends on the key alone, so that every process finds the file: SHA-256 of "42".
    let name = "73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049"
    let files = try FileManager.default.contentsOfDirectory(
      atPath: config.directory?.appending(path: "numbers").path ?? "")
    #expect(files.contains { $0.hasPrefix(name) })
    #expect(
      try Storage<Int, String>(diskConfig: config, transformer: .codable(String.self)).allKeys() == [42])
  }

  @Test("AsyncStorages: no removal, no expiry, no bound, no key listing", arguments: everything)
  func whatIsMissing(kind: ChainKind, mode: Mode) async throws {
    let storage = try Chains(kind).open(Int.self)
    try await mode.setMany(storage, ["a": 1, "b": 2, "c": 3])
    #expect(try await mode.keys(storage) == ["a", "b", "c"])
    try await mode.remove(storage, "b")
    #expect(try await mode.keys(storage) == ["a", "c"])
  }

  @Test("AsyncStorages: a corrupt back store reads as missing", arguments: Mode.allCases)
  func corrupt(mode: Mode) async throws {
    let chains = Chains(.disk)
    try blocking { try chains.open(Int.self).setObject(1, forKey: "a") }
    let folder = chains.folder.url.appending(path: "main")
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      // A byte inside the value, which is at the end of the log.
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count - 3] ^= 1
      try bytes.write(to: file)
    }
    let storage = try chains.open(Int.self)
    await #expect(throws: StorageError.malformedFileAttributes) { try await mode.get(storage, "a") }
    #expect(try await mode.get(storage, "a") == nil, "reported once")
  }

  @Test("AsyncStorages: long keys fail", arguments: everything)
  func longKeys(kind: ChainKind, mode: Mode) async throws {
    let chains = Chains(kind)
    let key = String(repeating: "👩‍👩‍👧‍👦", count: 4000)
    #expect(key.utf8.count == 100_000)
    try await mode.set(chains.open(Int.self), key, 1)
    guard kind.outlivesRestart else { return }
    let storage = try chains.open(Int.self)
    #expect(try await mode.get(storage, key) == 1)
    #expect(try await mode.keys(storage) == [key])
  }

  @Test("AsyncStorages: 100 concurrent misses make 100 loads")
  func loads() async throws {
    let server = SlowStorage(DictionaryStorage(["a": Data("7".utf8)]))
    let storage = AsyncStorage(
      TypeWrapperStorage(
        HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: server),
        transformer: Transformer<Int>.codable(Int.self)))
    let gate = server.stop(.read)
    let sum = Task {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<100 { group.addTask { try await storage.object(forKey: "a") } }
        return try await group.reduce(0, +)
      }
    }
    await gate.arrivals(1)
    gate.open()
    #expect(try await sum.value == 700)
    #expect(server.base.calls(.read) == 1)
  }

  @Test("AsyncStorages: a nested call hangs", .timeLimit(.minutes(10)), arguments: everything)
  func nested(kind: ChainKind, mode: Mode) async throws {
    let storage = try Chains(kind).open(Int.self)
    try await mode.set(storage, "a", 1)
    await #expect(throws: StorageError.deadlock) {
      try await mode.update(storage, "a") { _ in _ = try storage.update(forKey: "a") { $0 += 1 } }
    }
    #expect(try await mode.get(storage, "a") == 1)
  }
}
