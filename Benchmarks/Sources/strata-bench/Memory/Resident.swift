import BenchHarness

/// Reads and overwrites with all entries resident: no misses, no evictions.
struct Resident {
  /// The number of entries.
  let count: Int
  /// The number of operations of one thread in one run.
  let operations: Int

  func measure<Key: BenchKey>(_ type: Key.Type, _ label: String, _ report: inout Report) throws {
    let size = Cell.count(count).shown
    Progress.say("memory: \(size) resident entries, \(label)")
    let keys = [Key](numbers: 0..<count)
    let comparison = Comparison(operations: operations, threads: [1, 2], rounds: 5)
    // Each run has its own draws, so that rarely requested entries are not in the processor's caches, as in a real
    // program.
    let draws = (0..<2).map { thread in
      (0..<comparison.runs).map { run in
        KeySequence.zipf(operations, of: count, seed: UInt64(run * 2 + thread + 2)).map { keys[$0] }
      }
    }
    let caches = try Caches(keys)
    let reads = try comparison.run(caches.contenders(reading: draws))
    let writes = try comparison.run(caches.contenders(writing: draws))

    report.add(
      "Hit: \(size) entries, \(label)",
      """
      Zipf 0.99 over \(size) keys, all resident. ns an operation, threads together; ratios against \
      \(Name.dictionary) with as many threads.
      """,
      table: table(reads))
    report.add("Overwrite: \(size) entries, \(label)", "The same keys, written.", table: table(writes))
    if count >= 1_000_000 { addAims(reads, label, &report) }
    report.add(
      .atLeast(
        12, reads.of(Name.nsCache).ratio(to: reads.of(Name.memory)), "hit, \(size) \(label), against NSCache")
    )
  }

  private func addAims(_ reads: [Timing], _ label: String, _ report: inout Report) {
    let memory = reads.of(Name.memory)
    let size = Cell.count(count).shown
    report.add(
      .atMost(
        1.3, memory.ratio(to: reads.of(Name.dictionary)), "hit, \(size) \(label), against \(Name.dictionary)")
    )
    report.add(
      .atLeast(
        1.7, memory.ratio(to: reads.of(Name.memory, threads: 2)),
        "hit, \(size) \(label), work of two threads by that of one"))
  }

  private func table(_ measurements: [Timing]) -> Table {
    var table = Table([
      "cache", "1 thread", "1: best", "1: ratio", "2 threads", "2: best", "2: ratio", "2 threads do",
    ])
    for one in measurements where one.threads == 1 {
      let two = measurements.of(one.name, threads: 2)
      table.add([
        .text(one.name),
        .measure(one.median), .measure(one.best), .ratio(one.ratio(to: measurements.of(Name.dictionary))),
        .measure(two.median), .measure(two.best),
        .ratio(two.ratio(to: measurements.of(Name.dictionary, threads: 2))), .ratio(one.ratio(to: two)),
      ])
    }
    return table
  }
}

/// One cache of each kind, all with the same entries.
private struct Caches<Key: BenchKey> {
  let locked = LockedDictionary<Key, Int>()
  let sharded = ShardedDictionary<Key, Int>()
  let actor = ActorDictionary<Key, Int>()
  let lru: TextbookLRU<Key, Int>
  let nsCache = FoundationCache<Key, Int>()
  let strata: StrataCache<Key, Int>

  init(_ keys: [Key]) throws {
    // The limits are never reached: caches with a limit still do the bookkeeping for it.
    lru = TextbookLRU(capacity: keys.count * 2)
    strata = StrataCache(capacity: keys.count * 2)
    _ = try locked.write(1, forKeys: keys)
    _ = try sharded.write(1, forKeys: keys)
    _ = try actor.write(1, forKeys: keys)
    _ = try lru.write(1, forKeys: keys)
    _ = try nsCache.write(1, forKeys: keys)
    _ = try strata.write(1, forKeys: keys)
  }

  func contenders(reading keys: [[[Key]]]) -> [Contender] {
    [
      Contender(Name.dictionary) { [locked] thread, run in try locked.read(keys[thread][run]) },
      Contender(Name.shards) { [sharded] thread, run in try sharded.read(keys[thread][run]) },
      Contender(Name.actor) { [actor] thread, run in try actor.read(keys[thread][run]) },
      Contender(Name.lru) { [lru] thread, run in try lru.read(keys[thread][run]) },
      Contender(Name.nsCache) { [nsCache] thread, run in try nsCache.read(keys[thread][run]) },
      Contender(Name.memory) { [strata] thread, run in try strata.read(keys[thread][run]) },
    ]
  }

  func contenders(writing keys: [[[Key]]]) -> [Contender] {
    [
      Contender(Name.dictionary) { [locked] thread, run in try locked.write(2, forKeys: keys[thread][run]) },
      Contender(Name.shards) { [sharded] thread, run in try sharded.write(2, forKeys: keys[thread][run]) },
      Contender(Name.actor) { [actor] thread, run in try actor.write(2, forKeys: keys[thread][run]) },
      Contender(Name.lru) { [lru] thread, run in try lru.write(2, forKeys: keys[thread][run]) },
      Contender(Name.nsCache) { [nsCache] thread, run in try nsCache.write(2, forKeys: keys[thread][run]) },
      Contender(Name.memory) { [strata] thread, run in try strata.write(2, forKeys: keys[thread][run]) },
    ]
  }
}
