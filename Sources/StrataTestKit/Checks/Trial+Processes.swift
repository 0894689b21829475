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
  func severalProcesses() async throws {
    let store = try await open()
    try await store.setObject(text("before"), forKey: "before", expiry: nil)
    try await withChild { child in
      try await child.ready()
      try await ask(
        child, .read("before"), expecting: .found(text("before")), "after a write before it started")
      // From here on, each process has written keys that the other one has not seen.
      try await ask(child, .keys, expecting: .keys(["before"]), "before any other write")
      try await expectKeys(["before"], in: store, "before any other write")
      for round in 0..<Effort.current.rounds(25) {
        let value = bytes(round * 100, seed: round)
        try await store.setObject(value, forKey: "ours", expiry: nil)
        try await ask(child, .read("ours"), expecting: .found(value), "after a write in this process")
        try await ask(child, .set("theirs", value), expecting: .done, "for a write")
        try await expect(value, at: "theirs", in: store, "after a write in another process")
        try await store.removeObject(forKey: "ours")
        try await ask(child, .read("ours"), expecting: .found(nil), "after a removal in this process")
        try await ask(child, .remove("theirs"), expecting: .done, "for a removal")
        try await expect(nil, at: "theirs", in: store, "after a removal in another process")
      }
      let many = 0..<min(subject.batchSize, 100)
      let ours = Dictionary(uniqueKeysWithValues: many.map { ("ours \($0)", bytes($0, seed: $0)) })
      let theirs = Dictionary(uniqueKeysWithValues: many.map { ("theirs \($0)", bytes($0, seed: -$0)) })
      // Both processes write concurrently.
      async let answer = child.ask(.setMany(theirs))
      for (key, value) in ours { try await store.setObject(value, forKey: key, expiry: nil) }
      let report = try await answer
      try expect(report == .done, "a batch in another process, at the same time, gives \(report)")
      let all = ours.merging(theirs) { $1 }
      for (key, value) in all {
        try await expect(value, at: key, in: store, "when two processes wrote at once")
      }
      try await expectKeys(Array(all.keys) + ["before"], in: store, "when two processes wrote at once")
      guard case .keys(let keys) = try await child.ask(.keys) else {
        throw CannotCheck("no keys were reported")
      }
      try expect(
        Set(keys) == Set(all.keys).union(["before"]),
        "the other process lists \(keys.count) keys of \(all.count + 1)")
    }
    try await killWriters(beside: store)
  }

  /// Locks of a process that is killed in the middle of a write must not block other processes.
  private func killWriters(beside store: Store) async throws {
    var generator = SeededGenerator(seed: 1)
    for round in 0..<Effort.current.killedWriters {
      try await withChild { child in
        try await child.ready()
        let answer = try await child.ask(.setEndlessly)
        try expect(answer == .ready, "before it writes, another process answers \(answer)")
        usleep(UInt32.random(in: 500...8000, using: &generator))
      }
      let circumstances = "after another process was killed while it wrote"
      do { try await store.setObject(text("\(round)"), forKey: "on", expiry: nil) } catch {
        throw broken("\(circumstances), a write threw \(error)")
      }
      try await expect(text("\(round)"), at: "on", in: store, circumstances)
      let found = try await store.entries(forKeys: Self.endless).mapValues(\.object)
      for (key, value) in found {
        try expect(value, endless(Self.generation(of: value)), "entries(forKeys:)", key, circumstances)
      }
      if !subject.except.contains(.atomicBatches) {
        try expect(
          Set(found.values.map(Self.generation)).count <= 1 && [0, Self.endless.count].contains(found.count),
          "\(circumstances), a part of its batch is there")
      }
    }
  }

  private static let endless = (0..<10).map { "endless \($0)" }

  private func endless(_ generation: Int) -> Data {
    withUnsafeBytes(of: generation) { Data($0) } + bytes(size(20_000) - 8, seed: generation)
  }

  private static func generation(of value: Data) -> Int {
    var generation = 0
    withUnsafeMutableBytes(of: &generation) { _ = value.copyBytes(to: $0) }
    return generation
  }

  private func ask(_ child: Child, _ order: Order, expecting: Report, _ circumstances: String) async throws {
    let report = try await child.ask(order)
    try expect(
      report == expecting, "\(circumstances), another process answers \(report), and not \(expecting)")
  }

  /// Runs in the child: executes the parent's orders.
  func obey(_ parent: Line) async throws {
    let store = try await open()
    try parent.send(Report.ready)
    while let order = try await parent.next(Order.self) {
      var report = Report.done
      switch order {
      case .set(let key, let value): try await store.setObject(value, forKey: key, expiry: nil)
      case .setMany(let values): try await store.setObjects(values, expiry: nil)
      case .read(let key): report = .found(try await store.objectIfPresent(forKey: key))
      case .remove(let key): try await store.removeObject(forKey: key)
      case .keys: report = .keys(try await store.keys())
      case .countUp(let key, let times): try await countUp(key, times, in: store)
      case .setEndlessly:
        try parent.send(Report.ready)
        for generation in 0... {
          let value = endless(generation)
          try await store.setObjects(
            Dictionary(uniqueKeysWithValues: Self.endless.map { ($0, value) }), expiry: nil)
        }
      }
      try parent.send(report)
    }
  }
}
