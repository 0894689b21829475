#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// Several writers of one key.
extension Trial {
  /// Two tasks write one key in parts and one by `setObject`, while others read it: each value is all of one.
  func concurrentStreams() async throws {
    let store = try await open()
    let rounds = Effort.current.rounds(16)
    let line = StartLine(of: 5)
    let writers = Shared(3)
    @Sendable func value(_ number: Int) -> MarkedValue {
      MarkedValue(number, count: span(200_000 + number % 3 * 500_000, in: store))
    }
    try await store.write(forKey: "a", from: PartSource(value(0).data))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 1...3 {
        group.addTask {
          defer { writers.change { $0 -= 1 } }
          try await line.meet()
          for round in 0..<rounds {
            let new = value(task * 1000 + round).data
            if task == 3 {
              try await store.setObject(new, forKey: "a", expiry: nil)
            } else {
              try await store.write(forKey: "a", from: PartSource(new, sizes: [90_000, 64 * task]))
            }
          }
        }
      }
      for isStream in [true, false] {
        group.addTask {
          try await line.meet()
          while writers.value > 0 {
            _ = try await readOne(value, in: store, byStream: isStream, "while others write")
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
    let circumstances = "after concurrent writers"
    guard let last = try await readOne(value, in: store, byStream: true, circumstances),
      let whole = try await readOne(value, in: store, byStream: false, circumstances)
    else { throw broken("\(circumstances), nothing can be read") }
    try expect(last == whole, "\(circumstances), a stream is of value \(last), an object of \(whole)")
    try expect(last % 1000 == rounds - 1, "\(circumstances), the value is no writer's last one: \(last)")
  }

  /// Reads the key "a", checks that all bytes are of one value, and returns its number. Returns `nil` if nothing is
  /// stored, or if a part cannot be read, which may happen after the value was replaced.
  func readOne(
    _ value: (Int) -> MarkedValue, in store: Store, byStream isStream: Bool, _ circumstances: String
  ) async throws -> Int? {
    let data: Data
    if isStream {
      let bytes: StoredBytes
      do { bytes = try await store.read(forKey: "a") } catch StorageError.notFound { return nil }
      do { data = try await bytes.data() } catch { return nil }
      try expect(
        data.count == bytes.length,
        "\(circumstances), \(data.count) of \(bytes.length) bytes are read, without an error")
    } else {
      guard let object = try await store.objectIfPresent(forKey: "a") else { return nil }
      data = object
    }
    let number = MarkedValue.number(of: data)
    let expected = value(number)
    let way = "\(circumstances), \(isStream ? "read(forKey:)" : "objectIfPresent")"
    try expect(
      data.count == expected.count,
      "\(way) gives \(data.count) bytes of value \(number), which has \(expected.count)")
    try expectNone(expected.difference(of: data, in: 0..<expected.count), "a", way)
    return number
  }

  /// Values that are committed only if nothing is stored.
  func conditionalCommits() async throws {
    let store = try await open()
    guard store is any ConditionalStorage, !subject.except.contains(.conditions) else { return }
    let (old, new) = (MarkedValue(1, count: size(900)), MarkedValue(2, count: size(20_000)))
    try await store.write(forKey: "a", from: PartSource(old.data))
    let staged = try await store.stage("a", nil, [])
    try await staged.append(new.data)
    let isStored = try await staged.commit(ifAbsent: true)
    await staged.discard()
    try expect(!isStored, "commit(ifAbsent: true) says that it has stored a value in place of another")
    try await expectStream(old, at: "a", in: store, "after commit(ifAbsent: true) in place of another value")
    for round in 0..<Effort.current.rounds(12) {
      let key = "b \(round)"
      if round % 2 == 1, !subject.except.contains(.pastExpiry) {
        try await store.setObject(old.data, forKey: key, expiry: .date(.distantPast))
      }
      let line = StartLine(of: 4)
      let winners = try await withThrowingTaskGroup(of: Int?.self) { group in
        for task in 1...4 {
          group.addTask {
            let staged = try await store.stage(key, nil, [])
            try await staged.append(MarkedValue(task, count: size(20_000)).data)
            try await line.meet()
            if try await staged.commit(ifAbsent: true) { return task }
            await staged.discard()
            return nil
          }
        }
        return try await group.reduce(into: [Int]()) { if let task = $1 { $0.append(task) } }
      }
      try expect(
        winners.count == 1, "of four callers of commit(ifAbsent: true), \(winners.count) have stored a value")
      try await expectStream(
        MarkedValue(winners[0], count: size(20_000)), at: key, in: store, "after commit(ifAbsent: true)")
    }
  }
}
