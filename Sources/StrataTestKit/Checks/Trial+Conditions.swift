#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  private typealias Conditional = any ConditionalStorage<String, Data>

  func conditions() async throws {
    let store = try await conditional(open())
    let time = try await Moments(of: self, in: store)
    try await storeIfAbsent(in: store, time)
    try await storeWithExpiry(in: store)
    try await touch(in: store, time)
    try await storeOnce(in: store)
    if let counting = store as? any CountingStorage<String, Data> {
      try await count(in: counting)
      try await countOn(in: counting, store, time)
    }
  }

  private func conditional(_ store: Store) throws -> Conditional {
    guard let store = store as? Conditional else { throw NotPromised() }
    return store
  }

  private func storeIfAbsent(in store: Conditional, _ time: Moments) async throws {
    try await store.setObject(text("neighbour"), forKey: "b", expiry: nil)
    try expect(
      try await store.setIfAbsent(text("one"), forKey: "a", expiry: nil),
      "setIfAbsent returns false for an absent key")
    try await expect(text("one"), at: "a", in: store, "after setIfAbsent of an absent key")
    try expect(
      try await !store.setIfAbsent(text("two"), forKey: "a", expiry: .seconds(1e6)),
      "setIfAbsent returns true for a key with a value")
    try await expect(text("one"), at: "a", in: store, "after setIfAbsent of a key with a value")
    try await expectExpiry(.never, of: "a", in: store, "after setIfAbsent of a key with a value")
    try await store.setObject(text("old"), forKey: "died", expiry: .seconds(time.unit))
    try await time.pass(time.unit * 2)
    try expect(
      try await store.setIfAbsent(text("new"), forKey: "died", expiry: nil),
      "setIfAbsent returns false for a key whose value has expired")
    try await expect(text("new"), at: "died", in: store, "after setIfAbsent of a key whose value had expired")
    try await store.removeObject(forKey: "a")
    try expect(
      try await store.setIfAbsent(text("again"), forKey: "a", expiry: nil),
      "setIfAbsent returns false for a key whose value was removed")
    try await expect(text("neighbour"), at: "b", in: store, "after setIfAbsent of other keys")
  }

  private func storeWithExpiry(in store: Conditional) async throws {
    let date = store.clock.now.addingTimeInterval(1e6)
    _ = try await store.setIfAbsent(text("1"), forKey: "mortal", expiry: .date(date))
    try await expectExpiry(.date(date), of: "mortal", in: store, "after setIfAbsent")
    if subject.except.contains(.ownExpiry) { return }
    try await withOtherStore(expiry: .seconds(1e6)) { mortal in
      _ = try await conditional(mortal).setIfAbsent(text("1"), forKey: "own", expiry: nil)
      try expect(
        try await mortal.entry(forKey: "own").expiry != .never,
        "setIfAbsent without an expiry stores an entry that never expires, in a store with a default expiry")
    }
  }

  private func touch(in store: Conditional, _ time: Moments) async throws {
    try expect(
      try await !store.touch(forKey: "never there", expiry: .never),
      "touch returns true for an absent key")
    try await expect(nil, at: "never there", in: store, "after touch of an absent key")
    try await store.setObject(text("value"), forKey: "touched", expiry: .seconds(time.unit))
    let date = store.clock.now.addingTimeInterval(1e6)
    for expiry in [Expiry.date(date), .never, .date(date), .seconds(time.unit)] {
      try expect(
        try await store.touch(forKey: "touched", expiry: expiry), "touch returns false for a key with a value"
      )
      let stored = try await store.entryIfPresent(forKey: "touched")?.object
      try expect(stored, text("value"), "entryIfPresent", "touched", "after touch")
      if case .seconds = expiry { continue }
      try await expectExpiry(expiry, of: "touched", in: store, "after touch")
    }
    try await time.pass(time.unit * 2)
    try await expect(nil, at: "touched", in: store, "after the expiry that touch gave has passed")
    try expect(
      try await !store.touch(forKey: "touched", expiry: .never),
      "touch returns true for an expired value")
    try await expect(nil, at: "touched", in: store, "after touch of an expired value")
  }

  /// Several tasks store under the same keys, half of them through another store at the same location. For each key,
  /// exactly one may succeed.
  private func storeOnce(in store: Conditional) async throws {
    let (tasks, rounds) = (6, Effort.current.rounds(30))
    let line = StartLine(of: tasks)
    let other = subject.except.contains(.severalHandles) ? store : try await conditional(open())
    let winners = try await withThrowingTaskGroup(of: (Int, [Int]).self) { group in
      for task in 0..<tasks {
        group.addTask {
          var won: [Int] = []
          let store = task % 2 == 0 ? store : other
          for round in 0..<rounds {
            try await line.meet()
            if try await store.setIfAbsent(text("\(task)"), forKey: "once \(round)", expiry: nil) {
              won.append(round)
            }
          }
          return (task, won)
        }
      }
      return try await group.reduce(into: [Int: [Int]]()) { winners, result in
        for round in result.1 { winners[round, default: []].append(result.0) }
      }
    }
    for round in 0..<rounds {
      let won = winners[round, default: []]
      try expect(
        won.count == 1, "of \(tasks) tasks that call setIfAbsent for one key, \(won.count) have stored")
      try await expect(text("\(won[0])"), at: "once \(round)", in: store, "after one of several has stored")
    }
  }

  private func count(in store: any CountingStorage<String, Data>) async throws {
    let (tasks, times) = (4, Effort.current.rounds(25))
    let line = StartLine(of: tasks)
    let sums = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<tasks {
        group.addTask {
          var sums: [Int] = []
          try await line.meet()
          for _ in 0..<times { sums.append(try await store.increment(forKey: "count", by: 1)) }
          return sums
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted()
    }
    try expect(
      sums == Array(1...tasks * times), "\(tasks * times) increments by \(tasks) tasks return \(sums)")
    let less = try await store.increment(forKey: "count", by: -tasks * times)
    try expect(less == 0, "an increment by \(-tasks * times) returns \(less), and not 0")
  }

  /// Checks `increment` after a count has expired or was removed.
  private func countOn(
    in counting: any CountingStorage<String, Data>, _ store: Conditional, _ time: Moments
  ) async throws {
    let date = store.clock.now.addingTimeInterval(1e6)
    _ = try await store.touch(forKey: "count", expiry: .date(date))
    try await add(5, to: "count", in: counting, expecting: 5, "of a count of 0")
    try await expectExpiry(.date(date), of: "count", in: store, "after an increment")
    _ = try await store.touch(forKey: "count", expiry: .seconds(time.unit))
    try await time.pass(time.unit * 2)
    try await add(3, to: "count", in: counting, expecting: 3, "of a count that had expired")
    try await store.removeObject(forKey: "count")
    try await add(2, to: "count", in: counting, expecting: 2, "of a count that was removed")
  }

  private func add(
    _ amount: Int, to key: String, in store: any CountingStorage<String, Data>, expecting expected: Int,
    _ circumstances: String
  ) async throws {
    let sum = try await store.increment(forKey: key, by: amount)
    try expect(
      sum == expected, "an increment by \(amount) \(circumstances) returns \(sum), and not \(expected)")
  }
}
