import Foundation
import Strata
import StrataAlgebra
import TestSupport
import Testing

/// Two chains over one folder, each with memory of its own, as in two processes.
@Suite("Updates beside other writers", .endsInTime) struct AtomicUpdateTests {
  private let folder = TemporaryFolder()

  private func disk() throws -> DiskStorage<String> {
    try DiskStorage(config: DiskConfig(name: "numbers", directory: folder.url))
  }

  private func chain() throws -> Storage<String, Int> {
    Storage(front: MemoryStorage(), back: try disk(), transformer: .codable(Int.self))
  }

  @Test("an update changes what the other chain has stored, and not what memory holds")
  func update() async throws {
    let (one, other) = (try chain(), try chain())
    try await one.setObject(1, forKey: "a")
    #expect(try await other.object(forKey: "a") == 1)
    try await one.setObject(10, forKey: "a")
    #expect(try await other.update(forKey: "a") { $0 += 1 } == 11)
    #expect(try await other.object(forKey: "a") == 11)
    #expect(try await one.increment(forKey: "a") == 12)
    #expect(try await one.async.update(forKey: "a") { @Sendable in $0 += 1 } == 13)
    #expect(try await other.update(forKey: "a") { $0 += 1 } == 14)
  }

  @Test("a refused comparison, and an update of what has gone, end an outdated copy in memory")
  func outdated() async throws {
    let (one, other) = (try chain(), try chain())
    try await one.setObject(1, forKey: "a")
    #expect(try await other.object(forKey: "a") == 1)
    try await one.setObject(2, forKey: "a")
    #expect(try await !other.compareAndSet(3, ifEqual: 1, forKey: "a"))
    #expect(try await other.object(forKey: "a") == 2)
    #expect(try await other.compareAndSet(3, ifEqual: 2, forKey: "a"))
    #expect(one.async.peek(forKey: "a")?.object == 2)
    #expect(try await !one.async.compareAndSet(4, ifEqual: 2, forKey: "a"))
    #expect(try await one.async.object(forKey: "a") == 3)
    try await other.removeObject(forKey: "a")
    await #expect(throws: StorageError.notFound) { try await one.update(forKey: "a") { $0 += 1 } }
    #expect(try await one.objectIfPresent(forKey: "a") == nil)
  }

  @Test("if nobody else writes, a closure that throws leaves the value in memory")
  func refused() throws {
    let store = try chain()
    try store.setObject(1, forKey: "a")
    try store.update(forKey: "a") { $0 += 1 }
    #expect(throws: Failure.first) { try store.update(forKey: "a") { _ in throw Failure.first } }
    #expect(store.peek(forKey: "a")?.object == 2)
    #expect(try !store.compareAndSet(5, ifEqual: 1, forKey: "a"))
    #expect(store.peek(forKey: "a")?.object == 2)
  }

  @Test("nothing is decoded as long as nobody else writes")
  func decoding() throws {
    let decoded = Locked(0)
    let json = Transformer<Int>.codable(Int.self)
    let transformer = Transformer<Int>(toData: json.toData) { bytes in
      decoded.withLock { $0 += 1 }
      return try json.fromData(bytes)
    }
    let store = Storage(front: MemoryStorage(), back: try disk(), transformer: transformer)
    let other = try chain()
    func updates(decoding count: Int, _ sourceLocation: SourceLocation = #_sourceLocation) throws {
      let before = decoded.withLock { $0 }
      try store.update(forKey: "a") { $0 += 1 }
      #expect(decoded.withLock { $0 } == before + count, sourceLocation: sourceLocation)
    }
    try store.setObject(1, forKey: "a")
    try updates(decoding: 1)
    for _ in 0..<3 { try updates(decoding: 0) }
    try other.setObject(10, forKey: "a")
    try updates(decoding: 1)
    try updates(decoding: 0)
    try store.removeInMemoryObject(forKey: "a")
    _ = try store.object(forKey: "a")
    try updates(decoding: 0)
    try store.setObject(20, forKey: "a")
    try updates(decoding: 1)
    try other.setObject(22, forKey: "a")
    try other.removeObject(forKey: "a")
    try other.setObject(21, forKey: "a")
    try updates(decoding: 1)
    #expect(try store.object(forKey: "a") == 22)
  }

  @Test("observers see one change, from the value that was replaced to the stored one")
  func observers() async throws {
    let (one, other) = (try chain(), try chain())
    try await one.setObject(1, forKey: "a")
    _ = try await other.object(forKey: "a")
    try await one.setObject(5, forKey: "a")
    let log = ChangeLog(other)
    try await other.update(forKey: "a") { $0 += 1 }
    #expect(await Set(log.receives(2)) == ["add(key: \"a\")", "edit(before: Optional(5), after: 6)"])
    await #expect(throws: Failure.first) { try await other.update(forKey: "a") { _ in throw Failure.first } }
    await #expect(throws: StorageError.notFound) { try await other.update(forKey: "b") { $0 += 1 } }
    #expect(try await !other.compareAndSet(7, ifEqual: 1, forKey: "a"))
    let plain: (inout Int) throws -> Void = { $0 += 1 }
    try await other.update(forKey: "a", plain)
    #expect(await Set(log.receives(2)) == ["add(key: \"a\")", "edit(before: Optional(6), after: 7)"])
  }

  @Test("the value expires in memory as the other chain has stored it")
  func expiry() throws {
    let time = ManualClock()
    func open() throws -> Storage<String, Int> {
      Storage(
        front: MemoryStorage(config: MemoryConfig(clock: time.clock)),
        back: try DiskStorage(config: DiskConfig(name: "n", directory: folder.url, clock: time.clock)),
        transformer: .codable(Int.self))
    }
    let (one, other) = (try open(), try open())
    try one.setObject(1, forKey: "a", expiry: .seconds(100))
    _ = try other.object(forKey: "a")
    try one.setObject(1, forKey: "a", expiry: .seconds(10))
    try other.update(forKey: "a") { $0 += 1 }
    time.advance(by: .seconds(11))
    #expect(try other.objectIfPresent(forKey: "a") == nil)
  }

  @Test("a serial store hands its updates down too")
  func serial() async throws {
    let (one, other) = (try chain().serial(), try chain().serial())
    try await one.setObject(0, forKey: "a")
    _ = try await other.object(forKey: "a")
    for _ in 0..<10 {
      try await one.update(forKey: "a") { $0 += 1 }
      try await updateOnMainActor(other)
      _ = try blocking { try one.update(forKey: "a") { $0 += 1 } }
    }
    #expect(try await other.update(forKey: "a") { $0 += 1 } == 31)
  }

  @MainActor private func updateOnMainActor(_ store: SerialStorage<Storage<String, Int>>) async throws {
    try await store.update(forKey: "a") { $0 += 1 }
  }

  private func blocking<R>(_ body: () throws -> R) rethrows -> R { try body() }

  @Test("views of a byte store have what the store has")
  func views() async throws {
    let disk = try disk()
    let view = disk.transform(to: Int.self)
    #expect(isUpdateable(view) && isConditional(view))
    #expect(try await view.setIfAbsent(1, forKey: "a", expiry: nil))
    #expect(try await view.increment(forKey: "a") == 2)
    #expect(try await disk.object(forKey: "a") == Data("2".utf8))
    let folders = FolderStorage(url: folder.url.appending(path: "files")).transform(to: Int.self)
    #expect(isUpdateable(folders) && !isConditional(folders))
    let plain = SlowStorage(DictionaryStorage<String, Data>()).transform(to: Int.self)
    #expect(!isUpdateable(plain) && !isConditional(plain))
    let tiers = HybridStorage(front: MemoryStorage<String, TypeWrapper>(), back: disk)
    #expect(isUpdateable(tiers) && isUpdateable(TypeWrapperStorage(tiers, transformer: .codable(Int.self))))
  }

  private func isUpdateable(_ store: some UpdateableStorage) -> Bool { true }
  @_disfavoredOverload private func isUpdateable(_ store: some ReadableStorage) -> Bool { false }
  private func isConditional(_ store: some ConditionalStorage) -> Bool { true }
  @_disfavoredOverload private func isConditional(_ store: some ReadableStorage) -> Bool { false }
}
