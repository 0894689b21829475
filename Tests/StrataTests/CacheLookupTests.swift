import Foundation
import Strata
import TestSupport
import Testing

/// Reads of an `AsyncStorage` over a disk: cached entries are read on the caller's thread, all others on another
/// thread.
@Suite("Reads on the caller's thread", .timeLimit(.minutes(10)))
struct CacheLookupTests {
  /// Records the thread on which the last value was decoded.
  private final class Decoder: Sendable {
    let thread = Shared<UInt>(0)

    var transformer: Transformer<Int> {
      Transformer(
        toData: { Data("\($0)".utf8) },
        fromData: { [thread] data in
          thread.change { $0 = thisThread() }
          guard let number = Int(String(decoding: data, as: UTF8.self)) else { throw Failure.first }
          return number
        })
    }
  }

  private let decoder = Decoder()
  private let folder = TemporaryFolder()

  /// Returns a store over a disk, with no entry in the memory in front of it.
  private func onDisk() throws -> AsyncStorage<String, Int> {
    let memory = MemoryStorage<String, TypeWrapper>(config: MemoryConfig(countLimit: 1))
    let disk = try DiskStorage<String>(config: DiskConfig(name: "disk", directory: folder.url))
    return Storage(front: memory, back: disk, transformer: decoder.transformer).async
  }

  private func hesitant(
    _ back: HesitantStorage<String, Data>
  ) -> Storage<String, Int> {
    Storage(front: MemoryStorage<String, TypeWrapper>(), back: back, transformer: decoder.transformer)
  }

  @Test(
    "bytes that the system has in memory are read on the caller's thread", .enabled(if: PageCache.canTell))
  func cached() async throws {
    let storage = try onDisk()
    try await storage.setObjects(["a": 1, "b": 2, "c": 3], expiry: nil)
    for round in 0..<100 {
      for (key, number) in ["a": 1, "b": 2, "c": 3] {
        try await storage.removeInMemoryObject(forKey: key)
        let (found, before, after) = try await threads { try await storage.object(forKey: key) }
        #expect(found == number)
        #expect(before == after, "round \(round)")
        #expect(decoder.thread.value == before, "round \(round)")
      }
    }
  }

  @Test(
    "absence and expiry are reported on the caller's thread",
    .enabled(if: PageCache.canTell))
  func absent() async throws {
    let storage = try onDisk()
    try await storage.setObject(1, forKey: "a", expiry: .date(.distantFuture))
    try await storage.setObject(2, forKey: "b")
    for _ in 0..<100 {
      let (nothing, before, after) = try await threads { try await storage.objectIfPresent(forKey: "x") }
      #expect(nothing == nil)
      #expect(before == after)
      let (found, start, end) = try await threads {
        try await (storage.expiryIfPresent(forKey: "a"), storage.objectExists(forKey: "x"))
      }
      #expect(found == (.date(.distantFuture), false))
      #expect(start == end)
    }
    #expect(decoder.thread.value == 0, "nothing was decoded")
  }

  @Test(
    "bytes that must come from the disk are read on a thread that may block",
    .enabled(if: PageCache.canBeHidden))
  func uncached() async {
    await #expect(processExitsWith: .success) { try await CacheLookupTests().readUncached() }
  }

  private func readUncached() async throws {
    let storage = try onDisk()
    for number in 0..<20 { try await storage.setObject(number, forKey: "key \(number)") }
    try PageCache.hide()
    for number in 0..<20 {
      try await storage.removeInMemoryObject(forKey: "key \(number)")
      decoder.thread.change { $0 = 0 }
      let (found, caller, _) = try await threads { try await storage.object(forKey: "key \(number)") }
      #expect(found == number)
      #expect(decoder.thread.value != caller)
      #expect(decoder.thread.value != 0)
    }
  }

  @Test("a read that has to wait is executed once, on a thread that may block")
  func hesitation() async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>(["a": Data("1".utf8)]))
    let storage = hesitant(back)
    back.isReady = false
    let caller = thisThread()
    #expect(try await storage.async.object(forKey: "a") == 1)
    #expect(decoder.thread.value != caller)
    #expect(try await storage.async.objectIfPresent(forKey: "x") == nil)
    #expect(try await !storage.async.objectExists(forKey: "x"))
    #expect(back.base.calls(.read) == 3)
    // Now the value is in memory.
    #expect(storage.peek(forKey: "a")?.object == 1)
  }

  @Test("errors are thrown by the read, and the key can be used again")
  func failures() async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>(["a": Data("1".utf8), "b": Data("?".utf8)]))
    let storage = hesitant(back)
    for _ in 0..<3 {
      await #expect(throws: StorageError.typeNotMatch) { try await storage.async.object(forKey: "b") }
    }
    back.base.fail(.read)
    await #expect(throws: Failure.first) { try await storage.async.object(forKey: "a") }
    await #expect(throws: Failure.first) { try await storage.async.objectExists(forKey: "a") }
    back.base.work()
    #expect(try await storage.async.object(forKey: "a") == 1)
    try await storage.async.setObject(2, forKey: "b")
    try await storage.async.removeAll()
    #expect(try await storage.async.keys() == [])
  }

  /// Returns a chain without memory, so that each read reaches the store.
  private func withoutMemory(_ back: HesitantStorage<String, Data>) -> AsyncStorage<String, Int> {
    AsyncStorage(TypeWrapperStorage(ByteTier(back), transformer: decoder.transformer))
  }

  @Test("a read keeps its place in the order, after a waiting write", arguments: [true, false])
  func order(isReady: Bool) async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>(["a": Data("1".utf8)]))
    back.isReady = isReady
    let storage = withoutMemory(back)
    let gate = ThreadGate()
    let update = Task {
      try await storage.update(forKey: "a") {
        gate.pass()
        $0 += 1
      }
    }
    await gate.arrival()
    storage.setObject(5, forKey: "a") { _ in }
    let reads = (0..<10).map { _ in Task { try await storage.object(forKey: "a") } }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    #expect(try await update.value == 2)
    for read in reads { #expect(try await read.value == 5) }
  }

  @Test("reads that turn out to have to wait do not affect other operations", arguments: [true, false])
  func lostUpdates(isReady: Bool) async throws {
    let back = HesitantStorage(DictionaryStorage<String, Data>(["a": Data("0".utf8)], yields: true))
    back.isReady = isReady
    let storage = withoutMemory(back)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            let before = try await storage.object(forKey: "a")
            let after = try await storage.update(forKey: "a") { $0 += 1 }
            #expect(before < after)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await storage.object(forKey: "a") == 400)
  }

  @Test("values and removals of threads, tasks and other stores over the folder are seen by the next read")
  func mixed() async throws {
    let (storage, other) = (try onDisk(), try onDisk())
    let number = Shared(0)
    for round in 0..<300 {
      let key = "key \(round % 3)"
      let writer = round.isMultiple(of: 2) ? storage : other
      let isRemoval = round % 5 == 4
      if isRemoval {
        try await writer.removeObject(forKey: key)
      } else {
        number.change { $0 = round }
        try await writer.setObject(round, forKey: key)
      }
      // The two stores do not share memory, so the other store's write is missing or has an older value here.
      for reader in [storage, other] {
        try await reader.removeInMemoryObject(forKey: key)
        #expect(try await reader.objectIfPresent(forKey: key) == (isRemoval ? nil : round))
      }
    }
  }

  /// Returns the result of `body`, and the threads before and after it.
  private func threads<R: Sendable>(_ body: () async throws -> R) async rethrows -> (R, UInt, UInt) {
    let before = thisThread()
    let result = try await body()
    return (result, before, thisThread())
  }
}
