import BenchHarness
import Foundation
import Strata

/// Awaited reads from a disk store whose pages are in the page cache: answered on the caller's thread, or on a thread
/// that may block.
struct ChainAwaits {
  let operations: Int

  private static let count = 1_000
  private static let tasks = 16
  private static let handedOver = "AsyncStorage, each read handed to a thread that may wait"
  private static let cached = "AsyncStorage(memory, disk)"
  private static let synchronous = "Storage(memory, disk)"

  private enum Read: String, CaseIterable {
    case hit = "hit on disk"
    case absent = "key that is not stored"
    case parallel = "hit on disk, 16 tasks at once"
  }

  func measure(_ folder: URL, _ report: inout Report) throws {
    Progress.say("chain: awaited reads of a disk")
    let disk = try DiskStorage<String>(config: DiskConfig(name: "awaits", directory: folder))
    let value = Data(repeating: 7, count: 100)
    let present = [String](numbers: 0..<Self.count)
    for key in present { try disk.setObject(value, forKey: key) }
    let absent = present.map { "no \($0)" }
    let usual = storage(disk)
    let handing = storage(HandingOver(base: disk))

    var table = Table(["read", "store", "µs an operation", "best", "ratio"])
    for read in Read.allCases {
      let keys = read == .absent ? absent : present
      let draws = (0..<operations).map { keys[$0 % Self.count] }
      var contenders = [
        Contender(Self.handedOver) { _, _ in try run(read, draws, handing) },
        Contender(Self.cached) { _, _ in try run(read, draws, usual) },
      ]
      if read != .parallel {
        contenders.append(
          Contender(Self.synchronous) { _, _ in
            try draws.reduce(0) { try $0 + (usual.objectIfPresent(forKey: $1)?.count ?? 0) }
          })
      }
      let found = try Comparison(operations: operations, rounds: 9).run(contenders)
      for one in found {
        table.add([
          .text(read.rawValue), .text(one.name), .measure(one.median / 1e3), .measure(one.best / 1e3),
          .ratio(one.ratio(to: found.of(Self.handedOver))),
        ])
      }
    }
    report.add(
      "Awaited reads of a disk",
      """
      Bytes, 100 of them, under one of \(Cell.count(Self.count).shown) keys, which the system has in its own memory; a memory tier of one \
      entry.
      """, table: table)
  }

  private func storage(_ back: some SyncStorageAware<String, Data>) -> Storage<String, Data> {
    Storage(front: MemoryStorage(config: MemoryConfig(countLimit: 1)), back: back, transformer: .data)
  }

  private func run(_ read: Read, _ keys: [String], _ storage: Storage<String, Data>) throws -> Int {
    let async = storage.async
    if read != .parallel { return try waiting { try await Self.sum(keys[...], async) } }
    let part = keys.count / Self.tasks
    return try waiting {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for task in 0..<Self.tasks {
          group.addTask { try await Self.sum(keys[task * part..<(task + 1) * part], async) }
        }
        return try await group.reduce(0, +)
      }
    }
  }

  private static func sum(_ keys: ArraySlice<String>, _ storage: AsyncStorage<String, Data>) async throws
    -> Int
  {
    var sum = 0
    for key in keys { sum += try await storage.objectIfPresent(forKey: key)?.count ?? 0 }
    return sum
  }
}

/// A disk store that answers only after a change of threads.
private struct HandingOver: SyncSimpleStorage {
  let base: DiskStorage<String>

  func entryIfPresent(forKey key: String) throws -> Entry<Data>? { try base.entryIfPresent(forKey: key) }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws {
    try base.setObject(object, forKey: key, expiry: expiry)
  }
  func removeObject(forKey key: String) throws { try base.removeObject(forKey: key) }
  func removeAll() throws { try base.removeAll() }
  func removeExpiredObjects() throws { try base.removeExpiredObjects() }
  func keys() throws -> [String] { try base.keys() }
}
