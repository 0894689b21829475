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
  func atomicBatches() async throws {
    for call in 2...5 { try await readDuringBatch(atReading: call) }
    let store = try await open()
    if subject.hugeValueSize < 64 << 20 { try await storeTooLargeValue(in: store) }
    let keys = (0..<min(subject.batchSize, 400)).map { "key \($0)" }
    try await change(keys, to: 0, in: store)
    try await expectWholeBatches(of: keys, in: store) { try await change(keys, to: $0, in: store) }
  }

  /// Reads all keys of a batch, forwards and backwards, while the store reads the clock to write the batch.
  private func readDuringBatch(atReading call: Int) async throws {
    let keys = (0..<8).map { "key \($0)" }
    try await interrupt(atReading: call) { store in
      try await change(keys, to: 0, in: store)
    } operation: { store in
      try await change(keys, to: 2, in: store)
    } other: { store in
      var seen = (generation: 0, key: keys[0])
      for key in keys + keys.reversed() { seen = try await read(key, in: store, after: seen) }
    }
  }

  /// Stores batches with one value that is larger than the store must accept: all of a batch is stored, or a throw has
  /// changed nothing.
  private func storeTooLargeValue(in store: Store) async throws {
    let keys = (0..<40).map { "key \($0)" }
    for batch in batches(of: keys, withLarge: bytes(2 * subject.hugeValueSize, seed: 1)) {
      try await change(keys, to: 0, in: store)
      var (expected, circumstances) = (
        batch, "after a batch with a value of \(2 * subject.hugeValueSize) bytes"
      )
      do { try await store.setObjects(batch, expiry: nil) } catch {
        expected = batch.mapValues { _ in text("0") }
        circumstances += " threw \(error)"
      }
      for key in keys {
        let found = try await store.objectIfPresent(forKey: key)
        try expect(found, expected[key], "objectIfPresent", key, circumstances)
      }
    }
  }

  /// Returns batches with a large value in the middle: in the order of the dictionary, and in the order of the keys.
  func batches(of keys: [String], withLarge value: Data) -> [[String: Data]] {
    let small = Dictionary(uniqueKeysWithValues: keys.map { ($0, text("small")) })
    return [Array(small.keys), keys.sorted()].map { order in
      small.merging([order[order.count / 2]: value]) { $1 }
    }
  }

  /// One task writes and removes batches while others read keys one after the other. No read may return an older batch
  /// than an earlier read did.
  ///
  /// - Parameter change: writes all keys with the number of the batch if it is even, and removes them if it is odd.
  func expectWholeBatches(
    of keys: [String], in store: Store, _ change: @escaping @Sendable (Int) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      let done = Shared(false)
      let line = StartLine(of: 4)
      group.addTask(executorPreference: Interruption.executor) {
        defer { done.change { $0 = true } }
        try await line.meet()
        // Long enough for the system to switch between the threads in the middle of a batch, even on one core.
        let (rounds, work, end) = (
          Effort.current.rounds(150), clock() + CLOCKS_PER_SEC / 5, ContinuousClock.now + .seconds(1)
        )
        var generation = 0
        while !done.value && (generation < rounds || clock() < work && ContinuousClock.now < end) {
          generation += 1
          try await change(generation)
        }
      }
      for reader in 0..<3 {
        group.addTask(executorPreference: Interruption.executor) {
          defer { done.change { $0 = true } }
          var generator = SeededGenerator(seed: UInt64(reader))
          var seen = (generation: 0, key: keys[0])
          try await line.meet()
          while !done.value {
            let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
            seen = try await read(key, in: store, after: seen)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Writes the keys in an even generation, and removes them in an odd one.
  private func change(_ keys: [String], to generation: Int, in store: Store) async throws {
    if generation % 2 == 1 { return try await store.removeObjects(forKeys: keys) }
    let value = text("\(generation)")
    // With a duration, a store that writes key by key reads the clock for each.
    let objects = Dictionary(uniqueKeysWithValues: keys.map { ($0, value) })
    try await store.setObjects(objects, expiry: .seconds(1e6))
  }

  /// Reads a key, and checks that it does not reflect an older batch than the key that was read before.
  private func read(
    _ key: String, in store: Store, after seen: (generation: Int, key: String)
  ) async throws -> (generation: Int, key: String) {
    let generation = try await generation(ofKey: key, in: store, after: seen.generation)
    try expect(
      generation >= seen.generation,
      "\(shown(seen.key)) was read as batch \(seen.generation) left it, and after that \(shown(key)) as batch "
        + "\(generation) did")
    return (generation, key)
  }

  /// Returns the generation of the last batch that a key reflects. An absent key fits every odd generation: the first
  /// possible one is returned.
  private func generation(ofKey key: String, in store: Store, after seen: Int) async throws -> Int {
    guard let value = try await store.objectIfPresent(forKey: key) else { return seen | 1 }
    guard let generation = Int(String(decoding: value, as: UTF8.self)) else {
      throw broken("\(shown(key)) holds \(shown(value)), which was never written")
    }
    return generation
  }
}
