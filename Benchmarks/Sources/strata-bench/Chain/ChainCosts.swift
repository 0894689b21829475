import BenchHarness
import Foundation
import Strata

/// The cost of a chain, compared with its parts called one after the other, as a user would write it.
struct ChainCosts {
  let operations: Int

  typealias Memory = MemoryStorage<String, Data>
  typealias Wrapped = MemoryStorage<String, TypeWrapper>

  /// A chain, and code that does the same work with the chain's parts.
  struct Row {
    let name: String
    /// The target for the ratio of the chain's time to the code's.
    let wanted: Double
    var operations: Int?
    let chain: Contender.Work
    let byHand: Contender.Work
  }

  func measure(_ folder: URL, _ report: inout Report) throws {
    Progress.say("chain: what it costs beside its parts")
    let rows = try writeRows(folder) + hitRows() + missRows(folder) + awaitedRows(folder) + loadingRows()
    var table = Table(["operation", "ns", "by hand, ns", "× by hand"])
    for row in rows {
      let (chain, byHand) = ("chain", "by hand")
      let found = try Comparison(operations: row.operations ?? operations, rounds: 9).run([
        Contender(chain, work: row.chain), Contender(byHand, work: row.byHand),
      ])
      let ratio = found.of(chain).ratio(to: found.of(byHand))
      table.add([
        .text(row.name), .measure(found.of(chain).median), .measure(found.of(byHand).median), .ratio(ratio),
      ])
      report.add(Aim.atMost(row.wanted, ratio, "\(row.name), against the same by hand"))
    }
    try addTwoThreads(&table, &report)
    try addTwoThreadsOnDisk(folder, &table, &report)
    report.add(
      "A chain beside its parts",
      """
      100 bytes under one of \(Cell.count(Self.count).shown) String keys; by hand: the same calls of the parts, without a turn. One turn: \
      `SyncStorage` over a store that does nothing, beside that store. Two threads: the work of both in the time of one. \
      Appends of two threads by hand: `write` of 150 bytes, to one file under one lock, or to a file of each.
      """, table: table)
  }

  static let count = 1_000
  let keys = [String](numbers: 0..<Self.count)
  let value = Data(repeating: 7, count: 100)

  /// Returns work that runs a step for one key after the other.
  func each(count: Int? = nil, _ step: @escaping @Sendable (String) throws -> Int) -> Contender.Work {
    { [keys, operations] _, _ in
      var sum = 0
      for index in 0..<(count ?? operations) { sum &+= try step(keys[index % keys.count]) }
      return sum
    }
  }

  /// Returns the same work with `await`, in one task.
  func each(
    count: Int? = nil, awaiting step: @escaping @Sendable (String) async throws -> Int
  ) -> Contender.Work {
    { [keys, operations] _, _ in
      try waiting {
        var sum = 0
        for index in 0..<(count ?? operations) { sum &+= try await step(keys[index % keys.count]) }
        return sum
      }
    }
  }

  func disk(_ name: String, _ folder: URL) throws -> DiskStorage<String> {
    try DiskStorage(config: DiskConfig(name: name, directory: folder))
  }

  /// Returns a store over memory alone.
  func overMemory(_ memory: Wrapped = Wrapped()) -> Storage<String, Data> {
    Storage(TypeWrapperStorage(memory, transformer: .data))
  }

  /// Adds the speed-up of two threads. The last row is the machine's maximum: two stores share nothing, so no single
  /// store can gain more.
  private func addTwoThreads(_ table: inout Table, _ report: inout Report) throws {
    let (one, memory) = (overMemory(), Memory())
    let own = [overMemory(), overMemory()]
    let contenders = [
      ("a Storage over memory", writes(to: { _ in one })), ("a MemoryStorage", writes(to: { _ in memory })),
      ("a Storage of its own each", writes(to: { own[$0] })),
    ]
    for (name, writes) in contenders {
      try addTwoThreads("writing different keys of \(name)", writes, wanted: 1.7, &table, &report)
    }
    let shards = ShardedDictionary<String, Data>()
    let byHand = Contender("writes", operations: operations * 10) { [keys, operations] thread, _ in
      let (half, value) = (keys.count / 2, Data(repeating: UInt8(thread), count: 100))
      for index in 0..<operations * 10 { shards.store(value, forKey: keys[thread * half + index % half]) }
      return 1
    }
    try addTwoThreads(
      "writing different keys of 16 dictionaries, each under a lock, by hand", byHand, &table, &report)
  }

  /// Adds the speed-up of two threads that run the work of a contender named "writes".
  func addTwoThreads(
    _ name: String, _ writes: Contender, wanted: Double? = nil, _ table: inout Table, _ report: inout Report
  ) throws {
    // More operations: to start the threads takes as long as a thousand writes.
    let found = try Comparison(operations: operations * 10, threads: [1, 2], rounds: 9).run([writes])
    let (one, two) = (found.of("writes"), found.of("writes", threads: 2))
    let (title, ratio) = ("two threads \(name), work against one", one.ratio(to: two))
    table.add([.text(title), .measure(two.median), .measure(one.median), .ratio(ratio)])
    if let wanted { report.add(Aim.atLeast(wanted, ratio, title)) }
  }

  func writes<Store: SyncStorageAware<String, Data>>(
    operations count: Int? = nil, to store: @escaping @Sendable (_ thread: Int) -> Store
  ) -> Contender {
    let count = count ?? operations * 10
    return Contender("writes", operations: count) { [keys] thread, _ in
      // Each thread has its own value, since the threads would contend for the reference count of a shared one.
      let (half, value) = (keys.count / 2, Data(repeating: UInt8(thread), count: 100))
      let store = store(thread)
      for index in 0..<count {
        try store.setObject(value, forKey: keys[thread * half + index % half])
      }
      return 1
    }
  }
}

/// A store that does nothing.
struct NoStorage: SyncSimpleStorage {
  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { nil }
  @inline(never)
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {}
  func removeObject(forKey key: String) throws {}
  func removeAll() throws {}
  func removeExpiredObjects() throws {}
  func keys() throws -> [String] { [] }
}
