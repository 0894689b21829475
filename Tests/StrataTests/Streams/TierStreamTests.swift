import Foundation
import Strata
import TestSupport
import Testing

/// Values that are streamed through two tiers of which the first keeps parts too.
@Suite("Streams through tiers", .timeLimit(.minutes(5)), .endsInTime)
struct TierStreamTests {
  private let value = noise(1_500_000)
  private let front = PartStorage()
  private let gate = Gate(holding: 0)

  @Test("the front stores what is read from the back, once for all readers")
  func oneRead() async throws {
    let back = PartStorage(gate: gate)
    let store = front.combined(with: back)
    try await back.write(forKey: "a", expiry: .seconds(50), from: PartSequence(value))
    let first = try await store.read(forKey: "a")
    let others = try await (0..<5).asyncMap { _ in try await store.read(forKey: "a") }
    try await withThrowingTaskGroup(of: Data.self) { group in
      for bytes in [first] + others { group.addTask { try await bytes.data() } }
      for try await data in group { #expect(data == value) }
    }
    #expect(back.counts.read == 15)
    #expect(front.stored("a") == value)
    #expect(front.counts.committed == 1)
    #expect(try await front.entry(forKey: "a").expiry != .never)
    let opened = back.counts.opened
    #expect(try await store.read(forKey: "a", range: 700_000..<700_009).data() == value[700_000..<700_009])
    #expect(back.counts.opened == opened)
  }

  @Test("each reader reads at its own pace, and one that leaves stops no other")
  func paces() async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    let store = front.combined(with: back)
    var slow = try await store.read(forKey: "a").makeAsyncIterator()
    var fast = try await store.read(forKey: "a").makeAsyncIterator()
    var leaving: StoredBytes.Iterator? = try await store.read(forKey: "a").makeAsyncIterator()
    _ = try await leaving?.next()
    leaving = nil
    var data = Data()
    while let part = try await fast.next() { data += part }
    #expect(data == value)
    data = Data()
    while let part = try await slow.next() { data += part }
    #expect(data == value)
    #expect(back.counts.read == 15)
  }

  @Test("if all readers leave, nothing is stored")
  func abandoned() async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    let store = front.combined(with: back)
    for try await _ in try await store.read(forKey: "a") { break }
    await until { front.counts.discarded == 1 }
    #expect(front.stored("a") == nil)
    #expect(try await store.read(forKey: "a").data() == value)
    #expect(front.stored("a") == value)
  }

  @Test("a front that refuses the bytes delays no reader", arguments: [0, 100_000, 1_400_000])
  func refusingFront(limit: Int) async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    front.limit(limit)
    let store = front.combined(with: back)
    var slow = try await store.read(forKey: "a").makeAsyncIterator()
    var begin = try await slow.next() ?? Data()
    #expect(try await store.read(forKey: "a").data() == value)
    while let part = try await slow.next() { begin += part }
    #expect(begin == value)
    #expect(front.stored("a") == nil)
  }

  @Test("a streamed value that is too large for the front is read whole, and written, through a typed chain")
  func tooLargeForTheFront() async throws {
    let (folder, time) = (TemporaryFolder().url, ManualClock())
    func disk(_ name: String, maxSize: UInt = 0) throws -> DiskStorage<String> {
      try DiskStorage(
        config: DiskConfig(name: name, maxSize: maxSize, directory: folder, clock: time.clock))
    }
    let (near, far) = (try disk("near", maxSize: 1_000_000), try disk("far"))
    let films = near.combined(with: far)
    try await films.write(forKey: "a", from: PartSequence(noise(3 << 20)))
    #expect(try await films.object(forKey: "a") == noise(3 << 20))
    #expect(try blocking { try films.object(forKey: "a") } == noise(3 << 20))
    #expect(try await films.entries(forKeys: ["a"])["a"]?.object == noise(3 << 20))
    // With types, and memory in front.
    let typed = AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(), back: films, transformer: .data)
    #expect(try await typed.object(forKey: "a") == noise(3 << 20))
    try await typed.setObject(noise(2 << 20), forKey: "a")
    #expect(try await typed.object(forKey: "a") == noise(2 << 20))
    #expect(try await films.read(forKey: "a").data() == noise(2 << 20))
    try await films.setObjects(["a": noise(2 << 20, seed: 2), "b": Data([1])], expiry: nil)
    #expect(try await films.object(forKey: "a") == noise(2 << 20, seed: 2))
    #expect(try await films.object(forKey: "b") == Data([1]))
    #expect(try await near.keys() == ["b"])
    // A value that the back refuses is refused.
    let small = far.combined(with: near)
    await #expect(throws: StorageError.tooLarge) { try await small.setObject(noise(2 << 20), forKey: "c") }
  }

  @Test(
    "a change of the key while it is read is not undone",
    arguments: ["write", "stream", "remove", "removeAll"])
  func changed(how: String) async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    let store = front.combined(with: back)
    var reader = try await store.read(forKey: "a").makeAsyncIterator()
    var data = try await reader.next() ?? Data()
    let new = Data("new".utf8)
    switch how {
    case "write": try await store.setObject(new, forKey: "a")
    case "stream": try await store.write(forKey: "a", from: PartSequence(new))
    case "remove": try await store.removeObject(forKey: "a")
    default: try await store.removeAll()
    }
    while let part = try await reader.next() { data += part }
    #expect(data == value, "the reader has opened the old value")
    let expected = how.hasPrefix("remove") ? nil : new
    #expect(try await store.objectIfPresent(forKey: "a") == expected)
    #expect(try await store.stream("a", nil, [])?.data() == expected)
    #expect(front.stored("a") != value)
  }

  @Test("a stream that is stored in the front alone is not undone by a reader of the back's value")
  func changedInFront() async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    let store = front.backed(by: back)
    let new = Data("new".utf8)
    var reader = try await store.read(forKey: "a").makeAsyncIterator()
    var data = try await reader.next() ?? Data()
    try await store.write(forKey: "a", from: PartSequence(new))
    while let part = try await reader.next() { data += part }
    #expect(data == value)
    #expect(front.stored("a") == new)
    #expect(try await store.read(forKey: "a").data() == new)
  }

  @Test("nor is a commit that takes effect although it throws, as when no reply comes")
  func changedWithoutReply() async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    let store = front.combined(with: WithoutReply(base: back))
    let new = Data("new".utf8)
    var reader = try await store.read(forKey: "a").makeAsyncIterator()
    var data = try await reader.next() ?? Data()
    await #expect(throws: Failure.first) { try await store.write(forKey: "a", from: PartSequence(new)) }
    while let part = try await reader.next() { data += part }
    #expect(data == value)
    #expect(front.stored("a") == nil)
    #expect(try await store.read(forKey: "a").data() == new)
  }

  @Test("a range is read from the back, and not stored")
  func ranges() async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    let store = front.combined(with: back)
    #expect(try await store.read(forKey: "a", range: 5..<10).data() == value[5..<10])
    #expect(front.stored("a") == nil)
  }

  @Test("compressed parts are stored in the front as they are in the back")
  func transformed() async throws {
    let back = PartStorage()
    let chain = front.combined(with: back)
    let store = AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(), back: chain, transformer: .data.zlib(level: 1))
    try await AsyncStorage(back: back, transformer: .data.zlib(level: 1)).write(
      forKey: "a", from: PartSequence(value))
    #expect(try await store.read(forKey: "a").data() == value)
    #expect(front.stored("a") == back.stored("a"))
    #expect(try await store.read(forKey: "a", range: 1_499_999..<2_000_000).data() == value.suffix(1))
  }

  @Test("an error of the back ends the readers that need it, and nothing is stored")
  func failingBack() async throws {
    let back = PartStorage()
    try await back.write(forKey: "a", from: PartSequence(value))
    back.failReads(after: 4)
    let store = front.combined(with: back)
    for _ in 0..<2 {
      var data = Data()
      await #expect(throws: Failure.first) {
        for try await part in try await store.read(forKey: "a") { data += part }
      }
      #expect(data == value.prefix(400_000))
    }
    #expect(front.stored("a") == nil)
  }

  @Test("observers and listeners are told of a streamed value")
  func told() async throws {
    let disk = DiskConfig(name: "disk", directory: TemporaryFolder().url)
    let store = try Storage<String, Data>(diskConfig: disk, transformer: .data.zlib())
    let log = EventLog(store)
    let told = Told()
    store.addStorageObserver(told) { told, _, change in told.note("\(change)") }
    store.addObserver(told, forKey: "a") { [value] told, _, change in
      told.note(change == .edit(before: nil, after: value) ? "the value" : "another value")
    }
    try await store.write(forKey: "a", from: PartSequence(value))
    try await store.write(forKey: "b", from: PartSequence(value))
    await until { told.lines.count == 3 }
    #expect(
      Set(told.lines) == ["\(StorageChange.add(key: "a"))", "\(StorageChange.add(key: "b"))", "the value"])
    _ = log.take()
    #expect(try await store.read(forKey: "b").data() == value)
    #expect(log.take() == ["disk hit b", "memory miss b"])
  }
}

private final class Told: Sendable {
  private let received = Locked<[String]>([])
  var lines: [String] { received.withLock { $0 } }

  func note(_ line: String) { received.withLock { $0.append(line) } }
}

extension Sequence {
  fileprivate func asyncMap<R>(_ transform: (Element) async throws -> R) async rethrows -> [R] {
    var results: [R] = []
    for element in self { try await results.append(transform(element)) }
    return results
  }
}

/// A store whose commits of staged values take effect and then throw.
private struct WithoutReply: StorageLink {
  typealias Key = String
  typealias Value = Data

  let base: PartStorage

  func stream(_ key: String, _ range: Range<Int>?, _ how: How) async throws -> StoredBytes? {
    try await base.stream(key, range, how)
  }

  func stage(_ key: String, _ expiry: Expiry?, _ how: How) async throws -> any StagedBytes {
    try await LinkedBytes(base.stage(key, expiry, how)) { commit in
      _ = try await commit()
      throw Failure.first
    }
  }
}
