import Foundation
import StrataCore
import Testing

/// Writers that fail or end, damage, and races.
extension StreamRule {
  func failedWriters(_ store: Store, _ subject: StreamSubject) async throws {
    try await store.setObject(Data("old".utf8), forKey: "a")
    await #expect(throws: Failure.first) {
      try await store.write(forKey: "a", from: PartSequence(long, at: 2 << 20) { throw Failure.first })
    }
    let cancelled = Task {
      try await store.write(
        forKey: "a", from: PartSequence(long, at: 2 << 20) { withUnsafeCurrentTask { $0?.cancel() } })
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await isSame(store.object(forKey: "a"), Data("old".utf8)))
    #expect(try await subject.partCount() == 0, "parts of writers that have failed")
  }

  func abandonedWriters(_ store: Store, _ subject: StreamSubject) async throws {
    try await store.setObject(Data("old".utf8), forKey: "a")
    let killed = try await store.stage("a", nil, [])
    try await killed.append(long)
    #expect(try await subject.partCount() == 12)
    // While the lease lasts, nobody removes the parts.
    try await store.removeExpiredObjects()
    #expect(try await subject.partCount() == 12)
    try await subject.lapse()
    // A slow writer goes on meanwhile.
    let slow = try await store.stage("a", nil, [])
    #expect(try await subject.partCount() == 0)
    try await slow.append(long)
    try await store.removeAll()
    try await store.setObject(Data("old".utf8), forKey: "a")
    if let clock = subject.clock {
      for _ in 0..<4 {
        clock.advance(by: stagingLease * 0.9)
        try await slow.append(Data([1]))
        try await store.removeExpiredObjects()
      }
    }
    await #expect(throws: StorageError.backendFailed) { try await killed.commit(ifAbsent: false) }
    await killed.discard()
    #expect(try await isSame(store.object(forKey: "a"), Data("old".utf8)))
    try await slow.commit(ifAbsent: false)
    #expect(try await isSame(store.object(forKey: "a").prefix(long.count), long))
    try await store.removeAll()
    try await subject.hasNoParts(store)
  }

  func damage(_ store: Store, _ subject: StreamSubject) async throws {
    try await store.stream(long, "a")
    try await subject.damage(9)
    var seen = Data()
    var failure: StorageError?
    do { for try await part in try await store.read(forKey: "a") { seen.append(part) } } catch {
      failure = error as? StorageError
    }
    #expect(failure == .malformedFileAttributes)
    #expect(isSame(seen, long.prefix(2 << 20)), "the bytes before the damage")
    #expect(try await isSame(store.streamed("a", 0..<2 << 20), long.prefix(2 << 20)))
    await #expect(throws: StorageError.malformedFileAttributes) { try await store.object(forKey: "a") }
    try await store.setObject(Data([1]), forKey: "a")
    #expect(try await store.object(forKey: "a") == Data([1]))
    try await subject.hasNoParts(store)
  }

  /// Writers replace a value while readers read it. Each value consists of one byte, so a mixture shows.
  func races(_ store: Store, _ subject: StreamSubject) async throws {
    let values = (1...4).map { Data(repeating: UInt8($0), count: 1 << 20 + $0) }
    try await store.stream(values[0], "a")
    let rounds = Soak.rounds(6, soak: 200)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          let own = try await subject.open()
          for round in 0..<rounds {
            let value = values[(writer + round) % values.count]
            if (writer + round) % 5 == 4 {
              try await own.setObject(value, forKey: "a")
            } else {
              try await own.stream(value, "a")
            }
          }
        }
      }
      for reader in 0..<3 {
        group.addTask {
          let own = try await subject.open()
          for round in 0..<rounds * 2 {
            do {
              let data = try await round % 2 == reader % 2 ? own.object(forKey: "a") : own.streamed("a")
              #expect(values.contains(data), "a mixture of \(data.count) bytes")
            } catch let error as StorageError where error == .backendFailed {
              #expect(error.message.contains("replaced"), "\(error)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try await store.removeExpiredObjects()
    let last = try await store.object(forKey: "a")
    #expect(values.contains(last))
    let count = try await subject.partCount()
    #expect(count == 0 || count == 5, "the parts of at most one value")
    try await store.removeAll()
    try await subject.hasNoParts(store)
  }
}
