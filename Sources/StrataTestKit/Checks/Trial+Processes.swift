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
      for round in 0..<25 {
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
      var ours: [String: Data] = [:]
      var theirs: [String: Data] = [:]
      for number in 0..<100 {
        ours["ours \(number)"] = bytes(number, seed: number)
        theirs["theirs \(number)"] = bytes(number, seed: -number)
      }
      // Both at once.
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
  }

  private func ask(_ child: Child, _ order: Order, expecting: Report, _ circumstances: String) async throws {
    let report = try await child.ask(order)
    try expect(
      report == expecting, "\(circumstances), another process answers \(report), and not \(expecting)")
  }

  /// The child's part: does what it is told.
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
      }
      try parent.send(report)
    }
  }
}
