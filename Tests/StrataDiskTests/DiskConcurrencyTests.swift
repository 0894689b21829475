#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Dispatch
import StrataCore
import Testing

@testable import StrataDisk

struct DiskConcurrencyTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func concurrently(_ threads: Int, _ body: @Sendable (Int) throws -> Void) {
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      do { try body(thread) } catch { Issue.record(error) }
    }
  }

  /// A value's length determines its bytes, so that a mixture of two values is detected.
  @Test(arguments: [0, 100_000] as [UInt])
  func readersSeeTheOldOrTheNewValue(maxSize: UInt) throws {
    let disk = try folder.open(maxSize: maxSize)
    let values = (0..<20).map { bytes($0 * 700, seed: $0) }
    try disk.setObject(values[0], forKey: "k", expiry: nil)
    concurrently(8) { thread in
      var random = Seeded(state: UInt64(thread))
      for _ in 0..<200 {
        if thread < 3 {
          try disk.setObject(values[Int.random(in: 0..<20, using: &random)], forKey: "k", expiry: nil)
        } else {
          let read = try #require(try disk.entryIfPresent(forKey: "k")).object
          #expect(read == values[read.count / 700])
        }
      }
    }
    #expect(folder.damage.all == [])
    #expect(try folder.names() == [folder.file(of: "k").lastPathComponent])
  }

  /// The index is built during concurrent writes and removals. In the end it equals an index built by a new scan.
  @Test(arguments: 0..<5)
  func aScanMayRaceWithWrites(_ round: Int) throws {
    let first = try folder.open()
    for i in 0..<100 { try first.setObject(bytes(i), forKey: "\(i)", expiry: nil) }
    let disk = try folder.open()
    concurrently(4) { thread in
      switch thread {
      case 0: for i in 50..<150 { try disk.setObject(bytes(2 * i), forKey: "\(i)", expiry: nil) }
      case 1: for i in 0..<50 { try disk.removeObject(forKey: "\(i)") }
      default: for _ in 0..<20 { _ = try disk.keys() }
      }
    }
    #expect(Set(try disk.keys()) == Set((50..<150).map(String.init)))
    #expect(try disk.totalSize == folder.entryBytes())
  }

  @Test func removeAllMayRaceWithEverything() throws {
    let disk = try folder.open(maxSize: 50_000)
    concurrently(4) { thread in
      for i in 0..<100 {
        switch thread {
        case 0: try disk.removeAll()
        case 1: _ = try disk.keys()
        default: try disk.setObject(bytes(i * 10), forKey: "\(i)", expiry: .seconds(i % 2 == 0 ? 0 : 60))
        }
        if i % 10 == 0 { try disk.removeExpiredObjects() }
      }
    }
    #expect(try disk.totalSize == folder.entryBytes())
    try disk.removeExpiredObjects()
    #expect(Set(try disk.keys()) == Set(try folder.open().keys()))
    try disk.removeAll()
    #expect(try folder.names() == [])
  }

  @Test func twoStoresOverOneFolderNeverReadAWrongValue() throws {
    let stores = [try folder.open(), try folder.open()]
    let values = (0..<10).map { bytes($0 * 500, seed: $0) }
    concurrently(4) { thread in
      for i in 0..<100 {
        try stores[thread % 2].setObject(values[i % 10], forKey: "k", expiry: nil)
        if let read = try stores[(thread + 1) % 2].entryIfPresent(forKey: "k")?.object {
          #expect(read == values[read.count / 500])
        }
        if i % 10 == 0 { try stores[thread % 2].removeObject(forKey: "k") }
        // Opening deletes leftovers, but not the files that the other threads are writing.
        if i % 20 == 0 { _ = try folder.open() }
      }
    }
    #expect(folder.damage.all == [])
  }
}
