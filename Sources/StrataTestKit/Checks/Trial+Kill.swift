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
        let plan = KillPlan(round: seed, task: task, self)
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
    let limit = KillPlan.stepsBeforeLimit(round: seed)
    let target =
      limit.map { KillPlan.tasks * $0 } ?? (seed % 4 == 1 ? 0 : Int.random(in: 1...60, using: &generator))
    let pause = UInt32.random(in: 0...(target == 0 ? 3000 : 400), using: &generator)
    var steps = [Int](repeating: 0, count: KillPlan.tasks)
    try await child.ready()
    if limit != nil { try await child.end() }
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
    guard let limit = KillPlan.stepsBeforeLimit(round: round) else {
      return try await write(0..<Int.max, round: round, to: store, parent)
    }
    try await write(0..<limit, round: round, to: store, parent)
    signal(SIGXFSZ, SIG_DFL)
    try limitFiles(to: largestFile() + [10, 100, 5000][round / 4 % 3])
    // A store that ignores the signal may throw, and a store with space in its files stays below the limit.
    do { try await write(limit..<limit + 8, round: round, to: store, parent) } catch {}
    send(SIGKILL, to: getpid())
  }

  private func write(_ steps: Range<Int>, round: Int, to store: Store, _ parent: Line) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<KillPlan.tasks {
        group.addTask {
          let plan = KillPlan(round: round, task: task, self)
          for step in steps {
            unblockFileLimit()
            try await apply(plan.changes(in: step), to: store)
            try parent.send(Report.acknowledged(task: task, step: step))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Lets the system kill the process on this thread. The threads of tasks block most signals.
  private func unblockFileLimit() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Returns the number of bytes of the largest file of the store.
  private func largestFile() throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { name in
      var status = stat()
      // The store may have removed the file meanwhile.
      guard lstat("\(folder.path)/\(name)", &status) == 0 else { return 0 }
      return Int(status.st_size)
    }.max() ?? 0
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
