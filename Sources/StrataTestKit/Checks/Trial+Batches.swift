#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore

extension Trial {
  func batches() async throws {
    let store = try await open()
    try await store.setObjects([:], expiry: nil)
    try await store.removeObjects(forKeys: [])
    let none = try await store.entries(forKeys: [])
    try expect(none.isEmpty, "entries(forKeys: []) gives \(none.count) entries")
    try await expectKeys([], in: store, "after batches of none")

    var objects: [String: Data] = [:]
    for number in 0..<1200 { objects["\(number)"] = bytes(number % 50, seed: number) }
    try await store.setObject(text("old"), forKey: "7", expiry: .seconds(1e6))
    try await store.setObject(text("outside"), forKey: "outside", expiry: nil)
    try await store.setObjects(objects, expiry: nil)
    for (key, value) in objects {
      try expect(
        try await store.objectIfPresent(forKey: key), value, "objectIfPresent", key, "after setObjects")
    }
    try await expect(text("outside"), at: "outside", in: store, "after setObjects of other keys")
    let expiry = try await store.entry(forKey: "7").expiry
    try expect(
      expiry == .never,
      "after setObjects, an entry has the expiry \(expiry) of the one that it took the place of")
    try await expectKeys(Array(objects.keys) + ["outside"], in: store, "after setObjects")

    let asked = objects.keys + ["absent", "outside", "0", "0"]
    let found = try await store.entries(forKeys: asked)
    try expect(found["absent"] == nil, "entries(forKeys:) gives an entry for a key that is absent")
    try expect(
      found.count == objects.count + 1,
      "entries(forKeys:) gives \(found.count) of \(objects.count + 1) entries")
    for (key, value) in objects {
      try expect(found[key]?.object, value, "entries(forKeys:)", key, "after setObjects")
    }

    try await store.removeObjects(forKeys: (0..<600).map(String.init) + ["absent", "0"])
    for number in 0..<1200 {
      let value = number < 600 ? nil : objects["\(number)"]
      try expect(
        try await store.objectIfPresent(forKey: "\(number)"), value, "objectIfPresent", "\(number)",
        "after removeObjects")
    }
    try await expectKeys((600..<1200).map(String.init) + ["outside"], in: store, "after removeObjects")
  }

  /// One task writes and removes batches while others read two keys of them, one after the other: the second must never be
  /// older than the first.
  func atomicBatches() async throws {
    let store = try await open()
    let keys = (0..<40).map { "key \($0)" }
    let generations = 150
    try await write(0, to: keys, in: store)
    try await withThrowingTaskGroup(of: Void.self) { group in
      let done = Shared(false)
      group.addTask {
        defer { done.change { $0 = true } }
        for generation in 1...generations {
          try await write(generation, to: keys, in: store)
          await Task.yield()
        }
      }
      for reader in 0..<3 {
        group.addTask {
          var generator = SeededGenerator(seed: UInt64(reader))
          while !done.value {
            let (one, other) = (
              keys[Int.random(in: 0..<40, using: &generator)], keys[Int.random(in: 0..<40, using: &generator)]
            )
            let first = try await store.objectIfPresent(forKey: one)
            let second = try await store.objectIfPresent(forKey: other)
            try expectNoOlder(second, other, than: first, one)
            await Task.yield()
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func write(_ generation: Int, to keys: [String], in store: Store) async throws {
    if generation % 5 == 4 { return try await store.removeObjects(forKeys: keys) }
    let value = text("\(generation)")
    try await store.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: nil)
  }

  private func expectNoOlder(_ second: Data?, _ other: String, than first: Data?, _ one: String) throws {
    func generation(_ value: Data?) -> Int? { value.flatMap { Int(String(decoding: $0, as: UTF8.self)) } }
    let (before, after) = (generation(first), generation(second))
    // What is absent was removed by a batch whose number is one below a multiple of five.
    let isTorn =
      switch (before, after) {
      case (let before?, let after?): after < before
      default: false
      }
    try expect(
      !isTorn,
      "\(shown(one)) was read from batch \(before ?? -1), and \(shown(other)) after that from batch \(after ?? -1)"
    )
  }
}
