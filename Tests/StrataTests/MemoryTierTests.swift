import Foundation
import Strata
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value whose deinit uses the store that contained it.
private final class Mortal: Codable, Sendable {
  let onDeinit = Shared<(@Sendable () -> Void)?>(nil)
  init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit.change { $0 = onDeinit } }
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws { try "mortal".encode(to: encoder) }
  deinit { onDeinit.value?() }
}

@Suite("The memory tier of a chain") struct MemoryTierTests {
  private let memory = MemoryStorage<String, TypeWrapper>()
  private let back = DictionaryStorage<String, Data>()

  @Test("a read is one hit or one miss", arguments: Mode.allCases)
  func counted(_ mode: Mode) async throws {
    let storage = Storage(front: memory, back: back, transformer: .codable(Int.self))
    #expect(try await mode.get(storage, "a") == nil)
    #expect(memory.statistics.misses == 1 && memory.statistics.hits == 0, "\(memory.statistics)")
    try blocking { try back.setObject(Data("1".utf8), forKey: "a") }
    #expect(try await mode.get(storage, "a") == 1)
    #expect(memory.statistics.misses == 2 && memory.statistics.hits == 0, "\(memory.statistics)")
    #expect(try await mode.get(storage, "a") == 1)
    #expect(memory.statistics.misses == 2 && memory.statistics.hits == 1, "\(memory.statistics)")
    #expect(try await mode.getMany(storage, ["a", "b", "c"]) == ["a": 1])
    #expect(memory.statistics.misses == 4 && memory.statistics.hits == 2, "\(memory.statistics)")
    #expect(try await mode.exists(storage, "a"))
    try await mode.set(storage, "a", 2)
    #expect(memory.statistics.misses == 4, "\(memory.statistics)")
  }

  @Test("a read through other links is one hit or one miss too")
  func countedByLinks() async throws {
    let memory = MemoryStorage<String, Int>()
    let combined = memory.combined(with: MemoryStorage(dictionary: ["a": 1]))
    #expect(try blocking { try combined.object(forKey: "a") } == 1)
    #expect(memory.statistics.misses == 1 && memory.statistics.hits == 0, "\(memory.statistics)")
    #expect(try await combined.object(forKey: "a") == 1)
    #expect(memory.statistics.misses == 1 && memory.statistics.hits == 1, "\(memory.statistics)")
    #expect(try await combined.objectIfPresent(forKey: "b") == nil)
    #expect(memory.statistics.misses == 2 && memory.statistics.hits == 1, "\(memory.statistics)")
    let slow = memory.combined(with: SlowStorage(MemoryStorage(dictionary: ["c": 1])))
    #expect(try await slow.object(forKey: "c") == 1)
    #expect(memory.statistics.misses == 3 && memory.statistics.hits == 1, "\(memory.statistics)")
  }

  @Test("a load counts one miss, and reads the store once", arguments: [false, true], [false, true])
  func countedLoad(isAwaited: Bool, isSerial: Bool) async throws {
    let storage = Storage(front: memory, back: back, transformer: .codable(Int.self))
    func load(_ key: String, _ store: some SyncStorageAware<String, Int>) async throws -> Int {
      if isAwaited { return try await store.object(forKey: key) { () async in 1 } }
      return try blocking { try store.object(forKey: key) { 1 } }
    }
    for (round, key) in ["a", "b"].enumerated() {
      // The second key is loaded through the type itself, not a protocol.
      if round == 0, isSerial {
        #expect(try await load(key, storage.serial()) == 1)
      } else if round == 0 {
        #expect(try await load(key, storage) == 1)
      } else if isAwaited {
        #expect(try await storage.object(forKey: key) { () async in 1 } == 1)
      } else {
        #expect(try blocking { try storage.object(forKey: key) { 1 } } == 1)
      }
      #expect(memory.statistics.misses == round + 1 && memory.statistics.hits == 0, "\(memory.statistics)")
      #expect(back.calls(.read) == 2 * (round + 1))
    }
  }

  @Test("a read through a chain in front of another store is one hit or one miss", arguments: [false, true])
  func countedInFront(isAwaited: Bool) async throws {
    let storage = Storage(front: memory, back: back, transformer: .codable(Int.self))
    func get(_ key: String, _ store: some SyncStorageAware<String, Int>) async throws -> Int? {
      if isAwaited { return try await store.objectIfPresent(forKey: key) }
      return try blocking { try store.objectIfPresent(forKey: key) }
    }
    let others = MemoryStorage(dictionary: ["a": 1, "b": 2, "c": 3])
    #expect(try await get("a", storage.combined(with: others)) == 1)
    #expect(memory.statistics.misses == 1 && memory.statistics.hits == 0, "\(memory.statistics)")
    #expect(try await get("b", storage.backed(by: others)) == 2)
    #expect(memory.statistics.misses == 2 && memory.statistics.hits == 0, "\(memory.statistics)")
    #expect(try await get("c", storage.serial().combined(with: others)) == 3)
    #expect(memory.statistics.misses == 3 && memory.statistics.hits == 0, "\(memory.statistics)")
    #expect(back.calls(.read) == 3)
  }

  @Test(
    "a batch through three tiers counts one hit or one miss for each key and tier", arguments: [false, true])
  func countedBatches(isAwaited: Bool) async throws {
    let middle = MemoryStorage<String, Data>()
    let storage = Storage(front: memory, back: middle.combined(with: back), transformer: .codable(Int.self))
    try blocking { try back.setObjects(["a": Data("1".utf8), "b": Data("2".utf8)], expiry: nil) }
    let keys = ["a", "b", "c"]
    let found =
      isAwaited
      ? try await storage.entries(forKeys: keys) : try blocking { try storage.entries(forKeys: keys) }
    #expect(found.mapValues(\.object) == ["a": 1, "b": 2])
    #expect(memory.statistics.misses == 3 && memory.statistics.hits == 0, "\(memory.statistics)")
    #expect(middle.statistics.misses == 3 && middle.statistics.hits == 0, "\(middle.statistics)")
  }

  /// Returns bytes that report their deallocation, and each of which is `number`.
  private func bytes(_ number: Int, _ count: Shared<Int>) -> Data {
    let size = 1000
    guard let memory = malloc(size) else { preconditionFailure("no memory") }
    memset(memory, CInt(number), size)
    count.change { $0 += 1 }
    return Data(
      bytesNoCopy: memory, count: size,
      deallocator: .custom { pointer, _ in
        count.change { $0 -= 1 }
        free(pointer)
      })
  }

  @Test("memory holds a written value as an object, without its bytes", arguments: [false, true])
  func bytesAreLetGo(threeTiers: Bool) throws {
    let count = Shared(0)
    let transformer = Transformer<Int>(
      toData: { [self] in bytes($0, count) }, fromData: { $0.first.map(Int.init) ?? 0 })
    let folder = TemporaryFolder()
    let near = try DiskStorage<String>(config: DiskConfig(name: "near", directory: folder.url))
    let far = try DiskStorage<String>(config: DiskConfig(name: "far", directory: folder.url))
    let storage =
      threeTiers
      ? Storage(front: HybridStorage(front: memory, back: near), back: far, transformer: transformer)
      : Storage(front: memory, back: near, transformer: transformer)
    try storage.setObject(1, forKey: "a")
    #expect(count.value == 0)
    #expect(memory.peek(forKey: "a")?.object.byteCount == 1000, "its cost is still known")
    try storage.setObjects(["b": 1, "c": 2], expiry: nil)
    _ = try storage.setIfAbsent(3, forKey: "d")
    try storage.update(forKey: "d") { $0 += 1 }
    #expect(count.value == 0)
    #expect(try storage.object(forKey: "d") == 4, "the object is there")
    #expect(try storage.transformData().object(forKey: "d").count == 1000, "and its bytes, for who asks")
  }

  /// The ways in which a value in a chain is released.
  enum End: CaseIterable, Sendable { case replaced, removed, removeAll, inMemory, updated, many, cancelled }

  @Test("a value's deinit may use the store", arguments: End.allCases, Mode.allCases)
  func deinitUsesStore(_ end: End, _ mode: Mode) async throws {
    let storage = Storage(front: memory, back: back, transformer: .codable(Mortal.self))
    let ends = Shared(0)
    func mortal() -> Mortal {
      Mortal { [weak storage] in
        blocking {
          do {
            _ = try storage?.objectIfPresent(forKey: "a")
            _ = try storage?.objectIfPresent(forKey: "nothing")
            // Removing everything counts as writing every key.
            if end != .removeAll { try storage?.setObject(Mortal {}, forKey: "other") }
            ends.change { $0 += 1 }
          } catch {
            Issue.record("\(error)")
          }
        }
      }
    }
    let listener = Listener()
    storage.addObserver(listener, forKey: "a") { _, _, _ in }
    try await mode.set(storage, "a", mortal())
    switch end {
    case .replaced: try await mode.set(storage, "a", Mortal {})
    case .removed: try await mode.remove(storage, "a")
    case .removeAll: try await mode.removeAll(storage)
    case .inMemory: try await mode.removeInMemory(storage, "a")
    case .updated: try await mode.update(storage, "a") { $0 = Mortal {} }
    case .many: try await mode.setMany(storage, ["a": Mortal {}])
    case .cancelled:
      storage.removeAllKeyObservers()
      try await mode.remove(storage, "a")
    }
    await until { ends.value == 1 }
  }

  @Test(
    "a value's deinit may use the store over which it was cached",
    arguments: [CacheStrategy.cache, .cacheOnFailure])
  func deinitUsesCached(_ strategy: CacheStrategy) throws {
    let link = MemoryStorage<String, Mortal>().cacheStrategy(strategy, memory: MemoryConfig(countLimit: 1))
    let ends = Shared(0)
    func mortal() -> Mortal {
      Mortal {
        do { _ = try link.objectIfPresent(forKey: "a") } catch { Issue.record("\(error)") }
        ends.change { $0 += 1 }
      }
    }
    for key in ["a", "a", "b"] { try link.setObject(mortal(), forKey: key) }
    for key in ["a", "b"] { _ = try link.object(forKey: key) }
    try link.removeObject(forKey: "a")
    try link.removeAll()
    #expect(ends.value == 3)
  }

  @Test("the deinit of a value that several readers of a tier found may use the store")
  func deinitOfWhatWasFound() async throws {
    let storage = Storage(back: back, transformer: .codable(Mortal.self))
    let ends = Shared(0)
    // Found by concurrent readers that share one load, and not stored.
    let decoding = Transformer<Mortal>(
      toData: { _ in Data("mortal".utf8) },
      fromData: { _ in
        Mortal { [weak storage] in
          blocking {
            do { _ = try storage?.objectExists(forKey: "a") } catch { Issue.record("\(error)") }
          }
          ends.change { $0 += 1 }
        }
      })
    let view = storage.transform(to: decoding)
    try await view.setObject(Mortal {}, forKey: "a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { try await onThread { for _ in 0..<200 { _ = try view.object(forKey: "a") } } }
      }
      try await group.waitForAll()
    }
    await until { ends.value == 800 }
  }
}

private final class Listener: Sendable {}
