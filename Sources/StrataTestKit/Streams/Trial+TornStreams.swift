#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The check of `tornStreams`: readers that stay behind, and writers that never come to their end.
extension Trial {
  func tornStreams() async throws {
    try await elsewhere { try await $0.readersLeftBehind() }
    try await elsewhere { try await $0.readersOvertaken() }
    try await elsewhere { try await $0.abandonedWriters() }
    if Effort.current == .full { try await elsewhere { try await $0.failedWriters() } }
    if subject.except.isDisjoint(with: [.survivingKill, .reopening]) {
      try await elsewhere { try await $0.killedStreams() }
    }
  }

  /// What happens to a value while it is read.
  private enum Change: CaseIterable {
    case write, setSameSize, remove, removeAndWriteSameSize, setShorter, removeAll, writeTwice
  }

  /// Readers that have been opened, and one that has read a part, before the value is replaced or removed.
  private func readersLeftBehind() async throws {
    let store = try await open()
    let count = span(2 * StoredBytes.partSize + 3000, in: store)
    let changes = Effort.current == .full ? Change.allCases : [.write, .setSameSize, .remove, .writeTwice]
    for (round, change) in changes.enumerated() {
      let (old, new) = (MarkedValue(2 * round, count: count), MarkedValue(2 * round + 1, count: count))
      if round % 2 == 0 {
        try await store.write(forKey: "a", from: PartSource(old.data))
      } else {
        try await store.setObject(old.data, forKey: "a", expiry: nil)
      }
      let circumstances = "after \(change) while it is read"
      let bytes = try await store.read(forKey: "a")
      let tail = try await store.read(forKey: "a", range: (count - count / 3)..<count)
      var begun = bytes.makeAsyncIterator()
      let first = try await begun.next() ?? Data()
      let left = try await make(change, new, in: store)
      var found = first
      do {
        while let part = try await begun.next() { found.append(part) }
        try expectOld(old, found, 0..<count, "\(circumstances), the rest of a stream")
      } catch let broken as BrokenPromise { throw broken } catch {
        // The parts before an error must be correct too.
        try expectOld(old, found, 0..<found.count, "\(circumstances), the parts before \(error)")
      }
      try await expectOldOrError(old, bytes, "\(circumstances), a stream that was opened before")
      try await expectOldOrError(old, tail, "\(circumstances), a range that was opened before")
      try await expectOldOrError(
        old, bytes.reading((count / 2)..<(count / 2 + 1000)),
        "\(circumstances), reading(_:) of an older stream")
      try await expectStream(left, at: "a", in: store, circumstances)
      if let left { try await expectWhole(left, at: "a", in: store, circumstances) }
    }
  }

  /// Makes the change, and returns what it leaves.
  private func make(_ change: Change, _ new: MarkedValue, in store: Store) async throws -> MarkedValue? {
    switch change {
    case .write:
      try await store.write(forKey: "a", from: PartSource(new.data))
    case .setSameSize:
      try await store.setObject(new.data, forKey: "a", expiry: nil)
    case .setShorter:
      let shorter = MarkedValue(new.number, count: new.count / 5)
      try await store.setObject(shorter.data, forKey: "a", expiry: nil)
      return shorter
    case .remove:
      try await store.removeObject(forKey: "a")
      return nil
    case .removeAll:
      try await store.removeAll()
      return nil
    case .removeAndWriteSameSize:
      try await store.removeObject(forKey: "a")
      try await store.write(forKey: "a", from: PartSource(new.data))
    case .writeTwice:
      // The second value may be stored where the one that is being read was.
      let between = MarkedValue(1000 + new.number, count: new.count)
      try await store.write(forKey: "a", from: PartSource(between.data))
      try await store.removeExpiredObjects()
      try await store.write(forKey: "a", from: PartSource(new.data))
    }
    return new
  }

  /// Throws `BrokenPromise` unless the parts are those of the old value, or reading them throws.
  private func expectOldOrError(_ old: MarkedValue, _ bytes: StoredBytes, _ circumstances: String)
    async throws
  {
    let found: Data
    do { found = try await parts(of: bytes, at: "a", circumstances) } catch let broken as BrokenPromise {
      throw broken
    } catch { return }
    try expectOld(old, found, bytes.range, circumstances)
  }

  private func expectOld(_ old: MarkedValue, _ found: Data, _ range: Range<Int>, _ circumstances: String)
    throws
  {
    try expectNone(old.difference(of: found, in: range), "a", circumstances)
  }

  /// Readers, while one task replaces and removes the value again and again. A value that is read is all of one, and
  /// not older than the one whose write had returned before.
  private func readersOvertaken() async throws {
    let store = try await open()
    let rounds = Effort.current.rounds(80)
    let (line, stored, isDone) = (StartLine(of: 3), Shared(0), Shared(false))
    @Sendable func value(_ number: Int) -> MarkedValue {
      MarkedValue(number, count: span(70_000 + number % 3 * 600_000, in: store))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { isDone.change { $0 = true } }
        try await line.meet()
        for number in 1...rounds {
          if number % 5 == 3 { try await store.removeObject(forKey: "a") }
          if number % 3 == 2 {
            try await store.setObject(value(number).data, forKey: "a", expiry: nil)
          } else {
            try await store.write(
              forKey: "a", from: PartSource(value(number).data, sizes: [70_000, 300_001]))
          }
          stored.change { $0 = number }
          for _ in 0..<(number % 4) { await Task.yield() }
          let found = try await readOne(value, in: store, byStream: true, "after a write")
          try expect(
            found == number,
            "while the value is replaced, its only writer reads \(found ?? 0) after write \(number)")
        }
      }
      for _ in 0..<2 {
        group.addTask {
          try await line.meet()
          while !isDone.value {
            let before = stored.value
            let number = try await readOne(value, in: store, byStream: true, "while the value is replaced")
            try expect(
              number.map { $0 >= before } ?? true,
              "while the value is replaced, value \(number ?? 0) is read after write \(before) had returned")
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    try await expectStream(value(rounds), at: "a", in: store, "after the value is replaced many times")
  }
}
