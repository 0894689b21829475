package import Foundation
import StrataCore
import Testing

/// The rules of stores that keep large values in parts.
package enum StreamRule: String, CaseIterable, Sendable {
  case lengths, otherOperations, expiry, batches, replacement, failedWriters, abandonedWriters, damage, races

  package func check(_ subject: StreamSubject) async throws {
    let store = try await subject.open()
    try await store.removeAll()
    switch self {
    case .lengths: try await lengths(store, subject)
    case .otherOperations: try await otherOperations(store, subject)
    case .expiry: try await expiry(store, subject)
    case .batches: try await batches(store, subject)
    case .replacement: try await replacement(store, subject)
    case .failedWriters: try await failedWriters(store, subject)
    case .abandonedWriters: try await abandonedWriters(store, subject)
    case .damage: try await damage(store, subject)
    case .races: try await races(store, subject)
    }
  }

  typealias Store = any StorageAware<String, Data>
  /// A value of 13 parts, the last of which is short.
  var long: Data { noise(3 << 20 + 77, seed: 7) }

  private func lengths(_ store: Store, _ subject: StreamSubject) async throws {
    #expect(store.traits.keepsParts == true)
    let part = DividedValue.usualPartSize
    for length in [0, 1, part - 1, part, part + 1, 4 * part, 4 * part + 1, 3 << 20 + 77] {
      let data = noise(length, seed: UInt64(length))
      try await store.stream(data, "a")
      #expect(try await isSame(store.streamed("a"), data), "\(length)")
      #expect(try await isSame(store.object(forKey: "a"), data), "\(length)")
      #expect(try await store.read(forKey: "a").length == length)
      #expect(try await store.keys() == ["a"])
      // Another opener sees the same.
      #expect(try await isSame(subject.open().streamed("a"), data))
      let ends = [0, 1, part - 1, part, part + 1, length / 2, length - 1, length, length + 9].filter {
        $0 >= 0
      }
      for start in ends {
        for end in ends where end >= start {
          let expected = data.dropFirst(start).prefix(end - start)
          #expect(
            try await isSame(store.streamed("a", start..<end), Data(expected)),
            "\(start)..<\(end) of \(length)")
        }
      }
    }
    try await store.setObject(Data("plain".utf8), forKey: "b")
    #expect(try await store.streamed("b", 1..<3) == Data("la".utf8))
    #expect(try await store.stream("c", nil, []) == nil)
    try await store.removeAll()
    try await subject.hasNoParts(store)
  }

  private func otherOperations(_ store: Store, _ subject: StreamSubject) async throws {
    try await store.stream(long, "a")
    #expect(try await store.setIfAbsent(Data([1]), "a") == false)
    #expect(try await isSame(store.streamed("a"), long))
    #expect(try await store.expiryIfPresent(forKey: "a") == .never)
    try await store.setObject(Data([2]), forKey: "a")
    #expect(try await store.streamed("a") == Data([2]))
    try await store.stream(long, "a")
    try await store.removeObject(forKey: "a")
    #expect(try await store.objectIfPresent(forKey: "a") == nil)
    #expect(try await store.keys().isEmpty)
    #expect(try await store.setIfAbsent(Data([3]), "a"))
    try await store.stream(long, "a")
    // A staged value can be read before it is stored, and is not in the store.
    let staged = try await store.stage("b", nil, [])
    try await staged.append(long)
    try await staged.append(Data("end".utf8))
    #expect(try await isSame(staged.bytes(at: 1000, count: 2 << 20), long.dropFirst(1000).prefix(2 << 20)))
    #expect(try await isSame(staged.bytes(at: long.count - 2, count: 9), long.suffix(2) + Data("end".utf8)))
    #expect(try await store.keys() == ["a"])
    try await store.setObject(Data([4]), forKey: "b")
    #expect(try await !staged.commit(ifAbsent: true))
    #expect(try await store.object(forKey: "b") == Data([4]))
    try await store.removeObject(forKey: "b")
    #expect(try await staged.commit(ifAbsent: true))
    #expect(try await isSame(store.object(forKey: "b"), long + Data("end".utf8)))
    try await store.removeAll()
    try await subject.hasNoParts(store)
  }

  private func expiry(_ store: Store, _ subject: StreamSubject) async throws {
    guard let clock = subject.clock else {
      try await store.stream(long, "a", .seconds(3600))
      #expect(try await store.expiryIfPresent(forKey: "a") != .never)
      #expect(try await store.touch("a", .never))
      #expect(try await store.read(forKey: "a").expiry == .never)
      #expect(try await store.touch("a", .seconds(3600)))
      #expect(try await store.read(forKey: "a").expiry != .never)
      #expect(try await isSame(store.streamed("a"), long))
      #expect(try await store.touch("a", .seconds(0)))
      #expect(try await store.objectIfPresent(forKey: "a") == nil)
      return
    }
    let (first, later) = (clock.clock.now.addingTimeInterval(100), clock.clock.now.addingTimeInterval(300))
    try await store.stream(long, "a", .seconds(100))
    try await store.stream(long, "b", .date(first))
    try await store.setObject(Data([1]), forKey: "c")
    #expect(try await store.read(forKey: "a").expiry == .date(first))
    #expect(try await store.entry(forKey: "a").expiry == .date(first))
    #expect(try await store.touch("a", .date(later)))
    #expect(try await isSame(store.streamed("a"), long))
    clock.advance(by: 200)
    #expect(try await Set(store.keys()) == ["a", "c"])
    var listed: [String] = []
    for try await keys in store.keyPages(limit: 10) { listed += keys }
    #expect(listed.sorted() == ["a", "c"])
    await #expect(throws: StorageError.notFound) { try await store.read(forKey: "b") }
    #expect(try await store.setIfAbsent(long, "b"))
    try await store.stream(long, "b", .date(first))
    try await store.removeExpiredObjects()
    #expect(try await store.entryIfPresent(forKey: "b") == nil)
    #expect(try await isSame(store.object(forKey: "a"), long))
    clock.advance(by: 200)
    #expect(try await store.keys() == ["c"])
    try await subject.hasNoParts(store)
  }

  private func batches(_ store: Store, _ subject: StreamSubject) async throws {
    try await store.stream(long, "a")
    try await store.stream(Data(long.reversed()), "b")
    try await store.setObject(Data([1]), forKey: "c")
    let found = try await store.entries(forKeys: ["a", "b", "c", "d"])
    #expect(found.mapValues(\.object) == ["a": long, "b": Data(long.reversed()), "c": Data([1])])
    try await store.setObjects(["a": Data([5]), "d": Data([6])])
    #expect(try await store.object(forKey: "a") == Data([5]))
    #expect(try await isSame(store.object(forKey: "b"), Data(long.reversed())))
    try await store.removeObjects(forKeys: ["a", "b"])
    try await subject.hasNoParts(store)
  }

  private func replacement(_ store: Store, _ subject: StreamSubject) async throws {
    let (old, new) = (long, Data(long.reversed()))
    let changes: [@Sendable (Store) async throws -> Void] = [
      { try await $0.stream(new, "a") }, { try await $0.setObject(Data([1]), forKey: "a") },
      { try await $0.removeObject(forKey: "a") }, { try await $0.removeAll() },
    ]
    for change in changes {
      try await store.stream(old, "a")
      let bytes = try await store.read(forKey: "a")
      var iterator = bytes.makeAsyncIterator()
      var seen = try await iterator.next() ?? Data()
      try await change(store)
      do {
        while let part = try await iterator.next() { seen.append(part) }
        #expect(isSame(seen, old))
      } catch {
        #expect(isSame(seen, old.prefix(seen.count)), "wrong bytes before the error")
        #expect((error as? StorageError) == .backendFailed, "\(error)")
      }
    }
    try await store.stream(old, "a")
    try await store.stream(new, "a")
    #expect(try await isSame(store.object(forKey: "a"), new))
    try await store.removeExpiredObjects()
    #expect(try await subject.partCount() == 13, "the parts of the new value, and no others")
    try await store.removeObject(forKey: "a")
    try await subject.hasNoParts(store)
  }
}

/// Compares values without Swift Testing's report of their differences, which takes hours for a megabyte.
package func isSame(_ one: Data?, _ other: Data) -> Bool { one == other }
