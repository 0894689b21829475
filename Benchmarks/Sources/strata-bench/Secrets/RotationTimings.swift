import BenchHarness
import Foundation
import Strata
import StrataSQLite
import StrataSodium
import Synchronization

/// Readers of an encrypted store, before and during the re-encryption of all entries.
struct RotationTimings {
  let entries: Int

  private static let readers = 2

  func run() throws -> (entries: Int, table: Table, aims: [Aim]) {
    var table = Table([
      "store", "rotation, s", "values a second", "reads a second without", "with", "median without",
      "median with",
      "99.9 % without", "99.9 % with", "slowest without", "slowest with",
    ])
    var aims: [Aim] = []
    for name in ["DiskStorage", "SQLiteStorage"] {
      Progress.say("secrets: rotation in \(name)")
      let found = try withTemporaryFolder { folder in
        if name == "DiskStorage" {
          let disk = try DiskStorage<Int>(config: DiskConfig(name: "store", directory: folder))
          return try measure(disk)
        }
        let table = try SQLiteStorage<Int>(
          config: SQLiteConfig(path: folder.appending(path: "store.db").path))
        return try measure(table)
      }
      let (before, during) = (found.before, found.during)
      table.add([
        .text(name), .measure(found.seconds), .count(Int(Double(entries) / found.seconds)),
        .count(Int(before.rate)), .count(Int(during.rate)), .measure(before.percentile(0.5)),
        .measure(during.percentile(0.5)), .measure(before.percentile(0.999)),
        .measure(during.percentile(0.999)),
        .measure(before.percentile(1)), .measure(during.percentile(1)),
      ])
      aims.append(
        .holds(
          during.percentile(1) < found.seconds * 1e6 / 4,
          "\(Cell.measure(during.percentile(1) / 1000).shown) ms of \(Cell.measure(found.seconds).shown) s",
          "Rotation in \(name): no read waits for it (the slowest, to a quarter of its time)"))
    }
    return (entries, table, aims)
  }

  private func measure<Base: SyncStorageAware<Int, Data>>(_ base: Base) throws -> (
    seconds: Double, before: Latencies, during: Latencies
  ) {
    let ring = KeyRing(try SecretKey())
    let store = base.encrypted(with: ring)
    let value = Data(repeating: 1, count: 100)
    for start in stride(from: 0, to: entries, by: 1000) {
      let keys = start..<min(start + 1000, entries)
      try store.setObjects(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), expiry: nil)
    }
    // A warm-up. The files are in the page cache anyway.
    _ = try read(store, while: { $0 < 0.3 })
    let seconds = Mutex(0.0)
    let isDone = Mutex(false)
    let rotation = { @Sendable () throws -> Void in
      let watch = Stopwatch()
      ring.rotate(adding: try SecretKey())
      let done = try store.reencrypt()
      seconds.withLock { $0 = Double(watch.nanoseconds) / 1e9 }
      // Readers have re-encrypted the entries that they touched.
      precondition(done.visited == entries && done.refused == 0)
    }
    let length = entries > 10_000 ? 3.0 : 0.2
    let before = try read(store, while: { $0 < length })
    let failure = Mutex((any Error)?.none)
    Thread.detachNewThread {
      do { try rotation() } catch { failure.withLock { $0 = error } }
      isDone.withLock { $0 = true }
    }
    let during = try read(store, while: { _ in !isDone.withLock { $0 } })
    if let error = failure.withLock({ $0 }) { throw error }
    return (seconds.withLock { $0 }, before, during)
  }

  private func read<Base: SyncStorageAware<Int, Data>>(
    _ store: EncryptedStorage<Base>, while goesOn: @escaping @Sendable (_ seconds: Double) -> Bool
  ) throws -> Latencies {
    let all = Mutex<[Double]>([])
    let watch = Stopwatch()
    let entries = entries
    _ = try ThreadTeam.run(Self.readers) { thread in
      var random = SplitMix64(seed: UInt64(thread + 1))
      var times: [Double] = []
      var sum = 0
      repeat {
        let key = Int(random.next() % UInt64(entries))
        let one = Stopwatch()
        sum &+= try store.object(forKey: key).count
        times.append(Double(one.nanoseconds) / 1000)
      } while goesOn(Double(watch.nanoseconds) / 1e9)
      all.withLock { [times] in $0 += times }
      return sum
    }
    return Latencies(times: all.withLock { $0.sorted() }, seconds: Double(watch.nanoseconds) / 1e9)
  }
}

/// The latencies of reads, in µs.
struct Latencies {
  /// In ascending order.
  let times: [Double]
  let seconds: Double

  /// The reads per second.
  var rate: Double { Double(times.count) / seconds }

  func percentile(_ share: Double) -> Double { times.percentile(share) }
}
