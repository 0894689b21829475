#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Synchronization

extension Trial {
  func parallelKeys() async throws {
    let store = try await open()
    let line = StartLine(of: 16)
    let left = try await withThrowingTaskGroup(of: [String: Data].self) { group in
      for task in 0..<16 {
        group.addTask {
          try await line.meet()
          return try await useOwnKeys(of: task, in: store)
        }
      }
      return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
    }
    try await expectKeys(left.keys, in: store, "when 16 tasks are done")
    for (key, value) in left {
      try expect(
        try await store.objectIfPresent(forKey: key), value, "objectIfPresent", key, "when 16 tasks are done")
    }
    try await listWhileOthersChange(in: store)
  }

  /// Lists the keys while other tasks write and remove some. Each listing must contain every unchanged key exactly
  /// once.
  private func listWhileOthersChange(in store: Store) async throws {
    let untouched = (0..<40).map { "untouched \($0)" }
    let empty = Data()
    try await store.setObjects(Dictionary(uniqueKeysWithValues: untouched.map { ($0, empty) }), expiry: nil)
    let (line, isDone) = (StartLine(of: 3), Shared(false))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<2 {
        group.addTask {
          try await line.meet()
          var number = 0
          while !isDone.value {
            // In a sorted store, half of these keys come before the unchanged keys and half after.
            let key = "\(number % 2 == 0 ? "a" : "z") \(task) \(number % 7)"
            number += 1
            try await store.setObject(empty, forKey: key, expiry: nil)
            await Task.yield()
            try await store.removeObject(forKey: key)
          }
        }
      }
      group.addTask {
        defer { isDone.change { $0 = true } }
        try await line.meet()
        for _ in 0..<Effort.current.rounds(30) {
          let listed = try await store.keys()
          let missing = Set(untouched).subtracting(listed)
          try expect(
            missing.isEmpty,
            "while other keys are written and removed, keys() lacks \(missing.count) of \(untouched.count)")
          try expect(
            Set(listed).count == listed.count,
            "while other keys are written and removed, keys() lists a key twice")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Writes, removes and reads a few keys that no other task uses, and compares each read with a dictionary.
  private func useOwnKeys(of task: Int, in store: Store) async throws -> [String: Data] {
    var generator = SeededGenerator(seed: UInt64(task))
    let keys = (0..<4).map { "task \(task) key \($0)" }
    var model: [String: Data] = [:]
    let circumstances = "while 16 tasks use keys of their own"
    for step in 0..<Effort.current.rounds(60) {
      let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2:
        let value = bytes([0, 10, 300, size(5000)][step % 4], seed: task &* 1000 &+ step)
        try await store.setObject(value, forKey: key, expiry: nil)
        model[key] = value
      case 3:
        try await store.removeObject(forKey: key)
        model[key] = nil
      case 4:
        let value = bytes(50, seed: task &* 1000 &+ step)
        try await store.setObjects([keys[0]: value, keys[1]: value], expiry: nil)
        (model[keys[0]], model[keys[1]]) = (value, value)
      case 5:
        let found = try await store.entries(forKeys: keys).mapValues(\.object)
        for key in keys { try expect(found[key], model[key], "entries(forKeys:)", key, circumstances) }
      default:
        try expect(
          try await store.objectIfPresent(forKey: key), model[key], "objectIfPresent", key, circumstances)
      }
    }
    return model
  }

  func linearizability() async throws {
    let store = try await open()
    let keys = ["one", "two"]
    let (ticks, line) = (Ticks(), StartLine(of: 6))
    var states: [String: Int?] = [:]
    for round in 0..<Effort.current.rounds(40) {
      let histories = try await withThrowingTaskGroup(of: [String: [HistoryEvent]].self) { group in
        for task in 0..<6 {
          group.addTask {
            try await line.meet()
            return try await history(of: task, in: round, on: keys, store, ticks)
          }
        }
        return try await group.reduce(into: [:]) { $0.merge($1) { $0 + $1 } }
      }
      for key in keys {
        let start = ticks.next()
        let last = try await number(forKey: key, in: store)
        let events =
          (histories[key] ?? []) + [HistoryEvent(.read(last), start: start, end: ticks.next(), by: "the end")]
        try expect(
          isLinearizable(events, from: states[key] ?? nil),
          "no order of these operations on \(shown(key)) explains what they saw, starting from "
            + "\(String(describing: states[key] ?? nil)): "
            + events.sorted { $0.start < $1.start }.map(\.description).joined(separator: "; "))
        states[key] = last
      }
    }
  }

  private func history(
    of task: Int, in round: Int, on keys: [String], _ store: Store, _ ticks: Ticks
  ) async throws -> [String: [HistoryEvent]] {
    var generator = SeededGenerator(seed: UInt64(round * 100 + task))
    var events: [String: [HistoryEvent]] = [:]
    for step in 0..<6 {
      let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
      let value = round * 10_000 + task * 100 + step
      let start = ticks.next()
      let action: HistoryEvent.Action
      switch Int.random(in: 0..<6, using: &generator) {
      case 0...1:
        if try await !setAtOnce(Self.value(value), forKey: key, in: store) {
          try await store.setObject(Self.value(value), forKey: key, expiry: nil)
        }
        action = .write(value)
      case 2:
        try await store.removeObject(forKey: key)
        action = .remove
      case 3:
        let data = try await objectWithoutWaiting(forKey: key, in: store)
        action = .read(try number(in: data, of: key))
      default: action = .read(try await number(forKey: key, in: store))
      }
      events[key, default: []].append(
        HistoryEvent(action, start: start, end: ticks.next(), by: "task \(task)"))
    }
    return events
  }

  /// Returns a value that identifies its write and shows if it is a mixture of two.
  private static func value(_ number: Int) -> Data {
    let word = withUnsafeBytes(of: number) { Data($0) }
    var value = Data()
    for _ in 0..<(1 + number % 3 * 200) { value.append(word) }
    return value
  }

  private func number(forKey key: String, in store: Store) async throws -> Int? {
    try number(in: try await store.objectIfPresent(forKey: key), of: key)
  }

  private func number(in data: Data?, of key: String) throws -> Int? {
    guard let data else { return nil }
    var number = 0
    withUnsafeMutableBytes(of: &number) { _ = data.copyBytes(to: $0) }
    try expect(
      data == Self.value(number), "a value of \(shown(key)) was read that nobody wrote: \(shown(data))")
    return number
  }

  func cancellation() async throws {
    let store = try await open()
    for round in 0..<Effort.current.rounds(60) {
      let key = "key \(round % 3)"
      let old = text("old \(round)")
      try await store.setObject(old, forKey: key, expiry: nil)
      let new = bytes(size(20_000), seed: round)
      let isWriting = round % 2 == 0
      let change = Task {
        if isWriting {
          try await store.setObject(new, forKey: key, expiry: nil)
        } else {
          try await store.removeObject(forKey: key)
        }
      }
      let read = Task { try await store.objectIfPresent(forKey: "untouched \(round)") }
      try await store.setObject(old, forKey: "untouched \(round)", expiry: nil)
      let lateRead = Task { try await store.objectIfPresent(forKey: "untouched \(round)") }
      for _ in 0..<(round % 6) { await Task.yield() }
      change.cancel()
      read.cancel()
      lateRead.cancel()
      let changed = isWriting ? new : nil
      let found: Data?
      switch await change.result {
      case .success:
        found = try await store.objectIfPresent(forKey: key)
        try expect(
          found, changed, "objectIfPresent", key, "after a change in a cancelled task that did not throw")
      case .failure(let error):
        found = try await store.objectIfPresent(forKey: key)
        try expect(
          found, old, "objectIfPresent", key, "after a change in a cancelled task that threw \(error)")
      }
      _ = await read.result
      if case .success(let value) = await lateRead.result {
        try expect(
          value, old, "objectIfPresent", "untouched \(round)", "in a cancelled task, without throwing,")
      }
    }
  }
}

/// A logical clock that orders events of all threads.
private final class Ticks: Sendable {
  private let count = Atomic(0)
  func next() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
