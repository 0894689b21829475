import Foundation
import Strata
import TestSupport
import Testing

@Suite struct StorageTests {
  @Test("stored values are read, replaced and removed", arguments: everything)
  func basics(kind: ChainKind, mode: Mode) async throws {
    let storage = try Chains(kind).open(User.self)
    #expect(try await mode.get(storage, "ada") == nil)
    #expect(try await !mode.exists(storage, "ada"))
    await #expect(throws: StorageError.notFound) { try await mode.entry(storage, "ada") }
    try await mode.set(storage, "ada", User(name: "Ada"))
    #expect(try await mode.get(storage, "ada") == User(name: "Ada"))
    #expect(try await mode.exists(storage, "ada"))
    try await mode.set(storage, "ada", User(name: "Ada King"))
    #expect(try await mode.get(storage, "ada") == User(name: "Ada King"))
    try await mode.remove(storage, "ada")
    #expect(try await mode.get(storage, "ada") == nil)
    try await mode.remove(storage, "ada")
    #expect(try await mode.keys(storage) == [])
  }

  @Test("all values survive a restart", arguments: everything)
  func restart(kind: ChainKind, mode: Mode) async throws {
    guard kind.outlivesRestart else { return }
    let chains = Chains(kind)
    let users = Dictionary(uniqueKeysWithValues: (0..<20).map { ("user \($0)", User(name: "\($0)")) })
    do {
      let storage = try chains.open(User.self)
      try await mode.setMany(storage, users)
      try await mode.set(storage, "late", User(name: "late"), .date(chains.time.date.addingTimeInterval(60)))
    }
    let storage = try chains.open(User.self)
    #expect(try await mode.keys(storage) == Set(users.keys).union(["late"]))
    #expect(try await mode.getMany(storage, Array(users.keys)) == users)
    #expect(
      try await mode.entry(storage, "late").expiry == .date(chains.time.date.addingTimeInterval(60)))
  }

  @Test("batches have the same effect as single calls", arguments: everything)
  func batches(kind: ChainKind, mode: Mode) async throws {
    let storage = try Chains(kind).open(Int.self)
    try await mode.setMany(storage, ["a": 1, "b": 2, "c": 3])
    #expect(try await mode.getMany(storage, ["a", "c", "x", "a"]) == ["a": 1, "c": 3])
    try await mode.removeMany(storage, ["a", "x", "b"])
    #expect(try await mode.keys(storage) == ["c"])
    try await mode.setMany(storage, [:])
    #expect(try await mode.getMany(storage, []) == [:])
    try await mode.removeAll(storage)
    #expect(try await mode.keys(storage) == [])
    #expect(try await mode.get(storage, "c") == nil)
  }

  @Test(
    "an expired value is not read, but is visible as an entry until it is removed, and can be stored again",
    arguments: everything)
  func expiry(kind: ChainKind, mode: Mode) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(User.self)
    try await mode.set(storage, "ada", User(name: "Ada"), .seconds(10))
    try await mode.set(storage, "eve", User(name: "Eve"))
    try await mode.set(storage, "old", User(name: "old"), .date(chains.time.date.addingTimeInterval(-1)))
    #expect(try await mode.get(storage, "old") == nil)
    chains.time.advance(by: 9.5)
    #expect(try await mode.get(storage, "ada")?.name == "Ada")
    chains.time.advance(by: 0.5)
    #expect(try await mode.get(storage, "ada") == nil)
    #expect(try await !mode.exists(storage, "ada"))
    let entry = try await mode.entry(storage, "ada")
    #expect(entry.object.name == "Ada" && entry.expiry.isExpired(by: chains.time.clock))
    await #expect(throws: StorageError.notFound) { try await mode.update(storage, "ada") { $0.visits = 1 } }
    #expect(try await mode.keys(storage) == ["eve"])
    try await mode.sweep(storage)
    await #expect(throws: StorageError.notFound) { try await mode.entry(storage, "ada") }
    try await mode.set(storage, "ada", User(name: "new"))
    #expect(try await mode.get(storage, "ada")?.name == "new")
  }

  @Test("an update reads, changes and stores in one operation, and keeps the expiry", arguments: everything)
  func update(kind: ChainKind, mode: Mode) async throws {
    let chains = Chains(kind)
    let storage = try chains.open(User.self)
    await #expect(throws: StorageError.notFound) { try await mode.update(storage, "ada") { $0.visits = 1 } }
    try await mode.set(storage, "ada", User(name: "Ada"), .seconds(60))
    #expect(try await mode.update(storage, "ada") { $0.visits += 1 } == User(name: "Ada", visits: 1))
    #expect(
      try await mode.entry(storage, "ada").expiry == .date(chains.time.date.addingTimeInterval(60)))
    await #expect(throws: Failure.first) {
      try await mode.update(storage, "ada") {
        $0.visits = 100
        throw Failure.first
      }
    }
    #expect(try await mode.get(storage, "ada")?.visits == 1)
  }

  @Test("concurrent updates of threads and tasks are all applied", arguments: ChainKind.allCases)
  func atomicUpdates(kind: ChainKind) async throws {
    let storage = try Chains(kind).open(User.self)
    try await Mode.sync.set(storage, "ada", User(name: "Ada"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<12 {
        group.addTask {
          let mode = Mode.allCases[worker % 3]
          for _ in 0..<50 { try await mode.update(storage, "ada") { $0.visits += 1 } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Mode.sync.get(storage, "ada")?.visits == 600)
  }

  @Test(
    "completion calls on one key run in the order in which they were made", arguments: ChainKind.allCases
  )
  func callOrder(kind: ChainKind) async throws {
    let storage = try Chains(kind).open(Int.self)
    for value in 0..<200 { storage.async.setObject(value, forKey: "last") { _ in } }
    #expect(try await called { storage.async.object(forKey: "last", completion: $0) } == 199)
  }

  @Test("values evicted from memory are read from the back", arguments: everything)
  func removeInMemory(kind: ChainKind, mode: Mode) async throws {
    guard kind.hasMemoryInFront else { return }
    let storage = try Chains(kind).open(User.self)
    try await mode.set(storage, "ada", User(name: "Ada"))
    #expect(storage.peek(forKey: "ada")?.object.name == "Ada")
    try await mode.removeInMemory(storage, "ada")
    #expect(storage.peek(forKey: "ada") == nil)
    #expect(try await mode.get(storage, "ada")?.name == "Ada")
    #expect(storage.peek(forKey: "ada")?.object.name == "Ada")
  }

  @Test("a chain with a disk reports the size on disk", arguments: ChainKind.allCases)
  func diskSize(kind: ChainKind) throws {
    let storage = try Chains(kind).open(Data.self)
    try storage.setObject(Data(repeating: 7, count: 10_000), forKey: "a")
    if kind == .memoryOnly {
      #expect(storage.totalDiskStorageSize == nil)
    } else {
      let size = try #require(storage.totalDiskStorageSize)
      #expect(kind == .compressed ? (1..<1000).contains(size) : size >= 10_000)
    }
  }

  @Test("a chain describes its links")
  func design() throws {
    let storage = try Chains(.disk).open(User.self)
    var names: [[String]] = []
    func walk(_ storage: any StorageDesign, depth: Int) {
      if names.count == depth { names.append([]) }
      names[depth].append(storage.storageName)
      storage.wrappedStorages.forEach { walk($0, depth: depth + 1) }
    }
    walk(storage, depth: 0)
    #expect(
      names == [
        ["Storage"], ["SyncStorage"], ["TypeWrapperStorage"], ["HybridStorage"],
        ["MemoryStorage", "DiskStorage"],
      ])
  }

  @Test("keys may be of any type with a text")
  func keyTypes() throws {
    let folder = TemporaryFolder()
    let id = UUID()
    let storage = try Storage<UUID, Int>(
      diskConfig: DiskConfig(name: "ids", directory: folder.url), transformer: .codable(Int.self))
    try storage.setObject(1, forKey: id)
    #expect(try storage.allKeys() == [id])
  }
}
