import TestSupport
import Testing

@testable import StrataAlgebra
@testable import StrataCore
@testable import StrataDelegate
@testable import StrataEngines

/// A store whose calls wait for each other in pairs.
private struct MeetingStorage: SimpleStorage {
  let base = DictionaryStorage<String, Int>()
  let meeting: Meeting

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    await meeting.join()
    return try await base.entryIfPresent(forKey: key)
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws {
    await meeting.join()
    try await base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) async throws {
    await meeting.join()
    try await base.removeObject(forKey: key)
  }
  func removeAll() async throws {
    await meeting.join()
    try await base.removeAll()
  }
  func removeExpiredObjects() async throws {
    await meeting.join()
    try await base.removeExpiredObjects()
  }
  func keys() async throws -> [String] {
    await meeting.join()
    return try await base.keys()
  }
}

/// A barrier for two calls.
private final class Meeting: Sendable {
  private let waiting = Shared<CheckedContinuation<Void, Never>?>(nil)

  func join() async {
    await withCheckedContinuation { mine in
      var other: CheckedContinuation<Void, Never>?
      waiting.change { waiting in
        other = waiting
        waiting = other == nil ? mine : nil
      }
      if let other {
        other.resume()
        mine.resume()
      }
    }
  }
}

@Suite(.timeLimit(.minutes(10)))
struct ZipAtOnceTests {
  @Test("both parts of a pair are read, written and removed concurrently")
  func keyed() async throws {
    let meeting = Meeting()
    let (first, second) = (MeetingStorage(meeting: meeting), MeetingStorage(meeting: meeting))
    let pairs = zip(first, second)
    try await pairs.setObject((1, 2), forKey: "a")
    #expect(first.base.objects == ["a": 1] && second.base.objects == ["a": 2])
    let pair = try await pairs.object(forKey: "a")
    #expect(pair == (1, 2))
    #expect(try await pairs.objectExists(forKey: "a"))
    #expect(try await pairs.entries(forKeys: ["a"]).count == 1)
    #expect(try await pairs.keys() == ["a"])
    try await pairs.removeExpiredObjects()
    try await pairs.removeObject(forKey: "a")
    #expect(first.base.objects.isEmpty && second.base.objects.isEmpty)
    try await pairs.removeAll()
  }

  @Test("the same holds for stores that only read and write")
  func plain() async throws {
    let meeting = Meeting()
    let (first, second) = (MeetingStorage(meeting: meeting), MeetingStorage(meeting: meeting))
    try await zip(first.writeOnly(), second.writeOnly()).set((1, 2), forKey: "a")
    let read = try await zip(first.readOnly(), second.readOnly()).retrieve(forKey: "a")
    #expect(read == (1, 2))
    let both = zip(first.mapKeys(to: Int.self) { "\($0)" }, second.mapKeys(to: Int.self) { "\($0)" })
    try await both.set((3, 4), forKey: 5)
    let written = try await both.retrieve(forKey: 5)
    #expect(written == (3, 4))
  }

  @Test("a part that is cached, or in a store that never blocks, needs no second task")
  func quick() async throws {
    let tasks = Shared<Set<Runner>>([])
    let note: @Sendable () -> Void = { tasks.change { _ = $0.insert(.currentTask) } }
    let (memory, peeking) = (DictionaryStorage(["a": 1]), DictionaryStorage(["a": 1], peeks: true))
    let parts: [any StorageAware<String, Int>] = [memory, SlowStorage(peeking, peeks: true)]
    for part in parts {
      let pairs = paired(part, NotingStorage(note: note))
      note()
      #expect(try await pairs.objectExists(forKey: "a"))
      #expect(try await pairs.object(forKey: "a") == 3)
    }
    #expect(tasks.value.count == 1)
  }

  @Test(
    "if one store refuses a write, the other's old value is restored", arguments: [true, false],
    [true, false])
  func refused(existed: Bool, firstFails: Bool) async throws {
    let (names, ages) = (DictionaryStorage<String, String>(), DictionaryStorage<String, Int>())
    let pairs = zip(SlowStorage(names), SlowStorage(ages))
    if existed { try await pairs.setObject(("Ada", 36), forKey: "a") }
    if firstFails { names.fail(.write) } else { ages.fail(.write) }
    await #expect(throws: Failure.first) { try await pairs.setObject(("Bea", 2), forKey: "a") }
    await #expect(throws: Failure.first) { try await pairs.setObjects(["a": ("Bea", 2)], expiry: nil) }
    #expect(names.objects == (existed ? ["a": "Ada"] : [:]))
    #expect(ages.objects == (existed ? ["a": 36] : [:]))

    if firstFails {
      ages.fail(.remove, .write, with: Failure.second)
    } else {
      names.fail(.remove, .write, with: Failure.second)
    }
    await #expect(throws: StorageError.backendFailed, "both") {
      try await pairs.setObject(("Cyd", 3), forKey: "a")
    }
    await #expect(throws: (any Error).self) { try await pairs.removeObject(forKey: "a") }
  }

  @Test("if that value cannot be restored, the error says which half was written", arguments: [true, false])
  func halfWritten(firstFails: Bool) async throws {
    let (names, ages) = (DictionaryStorage<String, String>(), DictionaryStorage<String, Int>())
    if firstFails { names.fail(.write) } else { ages.fail(.write) }
    if firstFails { ages.fail(.remove) } else { names.fail(.remove) }
    let pairs = zip(SlowStorage(names), SlowStorage(ages))
    let plain = zip(PlainStore(names), PlainStore(ages))
    let writes: [@Sendable () async throws -> Void] = [
      { try await pairs.setObject(("Ada", 36), forKey: "a") },
      { try await plain.set(("Ada", 36), forKey: "a") },
    ]
    for write in writes {
      await #expect {
        try await write()
      } throws: { error in
        let error = error as? StorageError
        return error == .backendFailed && error?.cause as? Failure == .first && error?.key as? String == "a"
          && error?.message.contains("only the \(firstFails ? "second" : "first") part") == true
      }
    }
  }

  @Test("the parts are used one after the other if they share an order", arguments: [true, false])
  func sharedTurns(serial: Bool) async throws {
    let slow = SlowStorage(DictionaryStorage(["a": 1]))
    let store: any StorageAware<String, Int> =
      serial ? slow.serial() : DictionaryStorage<String, Int>().combined(with: slow)
    let sums = paired(store, store)
    let writing = slow.stop(.write)
    async let written: Void = sums.setObject(2, forKey: "a")
    await writing.arrivals(1)
    for _ in 0..<100 { await Task.yield() }
    writing.open()
    try await written
    #expect(try await sums.object(forKey: "a") == 4)
    try await sums.removeObject(forKey: "a")
    #expect(slow.base.objects.isEmpty)
  }

  @Test("a store that reads the pair that it is a part of gets an error instead of a deadlock")
  func reentry() async throws {
    let loop = Shared<(any StorageAware<String, (Int, Int)>)?>(nil)
    let calling = NotingStorage { try await loop.value?.removeObject(forKey: "a") }
    let pairs = zip(SlowStorage(DictionaryStorage<String, Int>(["a": 1])), calling)
    loop.change { $0 = pairs }
    await #expect(throws: StorageError.deadlock) { try await pairs.object(forKey: "a") }
    await #expect(throws: StorageError.deadlock) { try await pairs.setObject((1, 2), forKey: "a") }
  }
}

/// Returns a store of the sums of pairs.
private func paired(
  _ first: some StorageAware<String, Int>, _ second: some StorageAware<String, Int>
) -> some StorageAware<String, Int> {
  zip(first, second).mapValues(to: Int.self, mapTo: { $0.0 + $0.1 }, mapFrom: { ($0, $0) })
}

/// A store whose reads and writes only call a closure.
private struct NotingStorage: SimpleStorage {
  var note: @Sendable () async throws -> Void

  func entryIfPresent(forKey key: String) async throws -> Entry<Int>? {
    try await note()
    return Entry(object: 2)
  }
  func setObject(_ object: Int, forKey key: String, expiry: Expiry?) async throws { try await note() }
  func removeObject(forKey key: String) async throws {}
  func removeAll() async throws {}
  func removeExpiredObjects() async throws {}
  func keys() async throws -> [String] { [] }
}
