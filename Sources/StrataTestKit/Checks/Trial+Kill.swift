#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

/// The operations of a child that is going to be killed. They depend on the round and the task alone, so that the
/// parent knows which operation was interrupted.
private struct KillPlan {
  static let tasks = 3
  let round: Int
  let task: Int
  /// The number of bytes of the largest value.
  let largest: Int

  static func keys(of task: Int) -> [String] { (0..<6).map { "task \(task) key \($0)" } }

  /// Returns the changes of a step: one key, or several keys in a batch. `nil` removes a key.
  func changes(in step: Int) -> [String: Data?] {
    var generator = SeededGenerator(seed: UInt64(round * 1_000_003 + task * 10_007 + step))
    let keys = Self.keys(of: task)
    let size = [0, 30, 700, largest].randomElement(using: &generator) ?? 0
    let value = bytes(size, seed: round &* 100_000 &+ step)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return [keys[Int.random(in: 0..<2, using: &generator)]: Data?.none]
    case 1: return Dictionary(uniqueKeysWithValues: keys[2...].map { ($0, Data?.none) })
    case 2, 3: return Dictionary(uniqueKeysWithValues: keys[2...].map { ($0, value) })
    default: return [keys[Int.random(in: 0..<2, using: &generator)]: value]
    }
  }
}

extension Trial {
  func survivingKill() async throws {
    // In several folders, one process starts while the entries of another are examined.
    let effort = Effort.current
    try await withThrowingTaskGroup(of: Void.self) { group in
      for series in 0..<effort.killFolders {
        group.addTask { try await kill(series: series, rounds: effort.kills) }
      }
      try await group.waitForAll()
    }
  }

  private func kill(series: Int, rounds: Int) async throws {
    let folder = folder.appending(path: "\(series)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var models = [[String: Data]](repeating: [:], count: KillPlan.tasks)
    for round in 0..<rounds {
      let seed = series * 1000 + round
      let steps = try await withChild(seed: seed, in: folder) { try await killed($0, seed: seed) }
      try await subject.settle?()
      let store = try await Trial(of: promise, on: subject, in: folder).open()
      var all: Set<String> = []
      for task in models.indices {
        let plan = KillPlan(round: seed, task: task, largest: size(20_000))
        for step in 0..<steps[task] { models[task].merge(plan.changes(in: step)) }
        let found = try await present(KillPlan.keys(of: task), in: store)
        try compare(found, with: models[task], or: plan.changes(in: steps[task]), "after kill \(round)")
        models[task] = found
        all.formUnion(found.keys)
      }
      try await expectKeys(all, in: store, "after kill \(round)")
    }
  }

  /// Kills a child that writes. Returns how many steps each of its tasks had acknowledged.
  private func killed(_ child: Child, seed: Int) async throws -> [Int] {
    var generator = SeededGenerator(seed: UInt64(seed))
    // Some children are killed right after their start, while they still recover from the previous kill.
    let target = seed % 4 == 1 ? 0 : Int.random(in: 1...60, using: &generator)
    let pause = UInt32.random(in: 0...(target == 0 ? 3000 : 400), using: &generator)
    var steps = [Int](repeating: 0, count: KillPlan.tasks)
    try await child.ready()
    if target == 0 {
      usleep(pause)
      child.kill()
    }
    while let report = try await child.report() {
      switch report {
      case .acknowledged(let task, let step): steps[task] = step + 1
      default: throw CannotCheck("an unexpected report: \(report)")
      }
      if steps.reduce(0, +) == target {
        // The kill hits the next operation at a random moment.
        usleep(pause)
        child.kill()
      }
    }
    try expect(
      steps.reduce(0, +) >= target,
      "the writing process ended by itself after \(steps) steps; its output: \(child.said)")
    return steps
  }

  private func present(_ keys: [String], in store: Store) async throws -> [String: Data] {
    var found: [String: Data] = [:]
    for key in keys { found[key] = try await store.objectIfPresent(forKey: key) }
    return found
  }

  /// Checks that the entries are the ones stored by the acknowledged steps. The interrupted step may have been executed
  /// or not.
  private func compare(
    _ found: [String: Data], with old: [String: Data], or changes: [String: Data?], _ circumstances: String
  ) throws {
    for key in Set(found.keys).union(old.keys) where changes[key] == nil {
      try expect(
        found[key] == old[key],
        "\(circumstances), the key \(shown(key)) holds \(shown(found[key])), and \(shown(old[key])) was acknowledged"
      )
    }
    for (key, new) in changes where found[key] != new {
      try expect(
        found[key] == old[key],
        "\(circumstances) while \(shown(new)) took the place of \(shown(old[key])), the key \(shown(key)) holds "
          + "\(shown(found[key]))")
    }
    guard !subject.except.contains(.atomicBatches), changes.count > 1 else { return }
    try expect(
      changes.allSatisfy { found[$0.key] == $0.value } || changes.allSatisfy { found[$0.key] == old[$0.key] },
      "\(circumstances) in the middle of a batch, a part of the batch is there")
  }

  /// Runs in the child: tasks write to their own keys until the process is killed.
  func writeUntilKilled(round: Int, _ parent: Line) async throws {
    try parent.send(Report.ready)
    let store = try await open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<KillPlan.tasks {
        group.addTask {
          let plan = KillPlan(round: round, task: task, largest: size(20_000))
          for step in 0... {
            try await apply(plan.changes(in: step), to: store)
            try parent.send(Report.acknowledged(task: task, step: step))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func apply(_ changes: [String: Data?], to store: Store) async throws {
    let values = changes.compactMapValues { $0 }
    switch (changes.count, changes.first?.key, values.first?.value) {
    case (1, let key?, let value?): try await store.setObject(value, forKey: key, expiry: nil)
    case (1, let key?, nil): try await store.removeObject(forKey: key)
    case (_, _, nil): try await store.removeObjects(forKeys: Array(changes.keys))
    default: try await store.setObjects(values, expiry: nil)
    }
  }
}

extension Dictionary where Key == String, Value == Data {
  /// Applies changes to the entries. `nil` removes a key.
  fileprivate mutating func merge(_ changes: [String: Data?]) {
    for (key, value) in changes { self[key] = value }
  }
}
