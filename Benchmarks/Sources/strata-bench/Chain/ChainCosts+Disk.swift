import BenchHarness
import Foundation
import Strata
import Synchronization

extension ChainCosts {
  /// Adds the speed-up of two threads that write to a disk, and that of the same appends by hand.
  ///
  /// A log has one end, so a store is compared with appends to one file under a lock. Two files are the machine's
  /// maximum.
  func addTwoThreadsOnDisk(_ folder: URL, _ table: inout Table, _ report: inout Report) throws {
    let count = operations * 2
    let disk = try disk("two threads", folder)
    let both = Storage(front: Wrapped(), back: try self.disk("two threads, both", folder), transformer: .data)
    let own = try (0..<2).map {
      Storage(front: Wrapped(), back: try self.disk("thread \($0)", folder), transformer: .data)
    }
    let stores = [
      ("a Storage over memory and disk", writes(operations: count, to: { _ in both })),
      ("a DiskStorage", writes(operations: count, to: { _ in disk })),
      ("a Storage over memory and disk of its own each", writes(operations: count, to: { own[$0] })),
    ]
    for (name, writes) in stores {
      try addTwoThreads("writing different keys of \(name)", writes, wanted: 1, &table, &report)
    }
    let logs = try ["one", "two"].map { name in
      let folder = folder.appending(path: "bare \(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try BareLog(folder: folder, size: 150)
    }
    let (value, lock) = (Data(repeating: 7, count: 150), HandLock())
    let toOne = Contender("writes", operations: count) { _, _ in
      for _ in 0..<count { try lock.mutex.withLock { _ in _ = try logs[0].append(value, 1) } }
      return 1
    }
    let toOwn = Contender("writes", operations: count) { thread, _ in
      for _ in 0..<count { _ = try logs[thread].append(value, 1) }
      return 1
    }
    try addTwoThreads("appending to one file under a lock, by hand", toOne, &table, &report)
    try addTwoThreads("appending to a file of each, by hand", toOwn, &table, &report)
  }
}

/// A lock that closures can share.
private final class HandLock: Sendable {
  let mutex = Mutex(())
}
