import Foundation
import TestSupport
import Testing

@testable import Strata
@testable import StrataLoading

@Suite("Loading: entries as bytes", .timeLimit(.minutes(5)), .endsInTime)
struct HeaderTests {
  struct User: Codable, Equatable { var name: String }

  let transformer = Transformer<User>.codable(User.self).cached()

  @Test("a header without tags has 25 bytes, and all metadata is read back")
  func roundTrip() throws {
    let plain = Cached(User(name: "Ada"), end: 10.25, began: 3.5, loadTime: 0.5)
    let bytes = try transformer.toData(plain)
    #expect(bytes.count == 25 + (try Transformer<User>.codable(User.self).toData(User(name: "Ada")).count))
    let read = try transformer.fromData(bytes)
    #expect(read.value == plain.value)
    #expect((read.end, read.began) == (10.25, 3.5))
    #expect(read.loadTime == 0.5)
    #expect(read.details == nil)

    let details = CachedDetails(
      tags: [TagMark(tag: "a", generation: 1), TagMark(tag: "ü/é", generation: .max)], validator: "", cost: 7)
    let full = Cached(User(name: "Ada"), end: .infinity, began: 3, generation: 42, details: details)
    let again = try transformer.fromData(transformer.toData(full))
    #expect(again.details == details)
    #expect(again.generation == 42)
    #expect(again.end == .infinity)

    let absent = try transformer.fromData(transformer.toData(Cached(nil, end: 5, began: 4)))
    #expect(absent.value == nil)
  }

  @Test("bytes without a header are a value that is fresh while it is stored")
  func plainBytes() throws {
    let read = try transformer.fromData(Transformer<User>.codable(User.self).toData(User(name: "Ada")))
    #expect(read.value == User(name: "Ada"))
    #expect(read.freshUntil == nil)
    for bytes in [Data(), Data([0xF5]), Data([0xF5, 0x9A, 1, 0]) + Data(count: 40)] {
      #expect(try Transformer.data.cached().fromData(bytes).value == bytes)
    }
  }

  @Test("a truncated header or one of a newer version throws, and is not read as a value")
  func damage() throws {
    let details = CachedDetails(tags: [TagMark(tag: "a", generation: 1)])
    let bytes = try transformer.toData(
      Cached(User(name: "Ada"), end: 1, began: 0, generation: 3, details: details))
    for count in [25, 30, 40] {
      #expect(throws: (any Error).self) { try transformer.fromData(bytes.prefix(count)) }
    }
    var newer = bytes
    newer[2] = 2
    newer[24] = newer.prefix(24).reduce(0, &+)
    #expect(throws: StorageError.newerFormat) { try transformer.fromData(newer) }
  }

  @Test("loaded values survive a restart, fresh or stale, with tags and validator (point 4)")
  func restart() async throws {
    let folder = TemporaryFolder()
    let time = ManualClock()
    let source = Locked<[LoadRequest<String, User>]>([])
    let isDown = Locked(false)
    let tags = MemoryStorage<String, Data>()
    func open() throws -> LoadingStorage<String, User> {
      let disk = try DiskStorage<String>(
        config: DiskConfig(name: "users", directory: folder.url, clock: time.clock))
      return Storage(
        front: MemoryStorage(config: MemoryConfig(clock: time.clock)), back: disk,
        transformer: .codable(User.self).zlib()
      ).loading(
        LoadPolicy(freshFor: .seconds(10), staleFor: .seconds(100)), clock: time,
        generations: Generations(tags)
      ) { request in
        source.withLock { $0.append(request) }
        if isDown.withLock({ $0 }) { throw Source.Down() }
        return .value(User(name: "Ada"), tags: ["t"], validator: "v")
      }
    }
    _ = try await open().object(forKey: "a")
    #expect(try await open().object(forKey: "a") == User(name: "Ada"))
    #expect(source.withLock { $0.count } == 1)
    time.advance(by: .seconds(11))
    isDown.withLock { $0 = true }
    #expect(try await open().object(forKey: "a") == User(name: "Ada"))
    #expect(source.withLock { $0.last?.validator } == "v")
    try await open().remove(tagged: "t")
    await #expect(throws: Source.Down.self) { try await open().object(forKey: "a") }
  }

  @Test("values stored without a loader are read with one")
  func upgraded() async throws {
    let storage = Storage<String, User>(
      front: MemoryStorage(), back: MemoryStorage<String, Data>(), transformer: .codable(User.self))
    try await storage.setObject(User(name: "Ada"), forKey: "a")
    let cache = storage.loading(value: { User(name: $0) })
    #expect(try await cache.object(forKey: "a") == User(name: "Ada"))
    #expect(try await cache.object(forKey: "b") == User(name: "b"))
  }
}
