import Dispatch
import Foundation
import StrataCore
import Testing

@testable import StrataDisk

struct DiskConditionalTests {
  private static let layouts: [DiskLayout] = [.automatic, .packed, .files]

  @Test(arguments: layouts, [10, 200_000])
  func whatIsThereStays(_ layout: DiskLayout, _ size: Int) throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open(expiry: .seconds(1000))
    #expect(try disk.setIfAbsent(bytes(size, seed: 1), forKey: "k", expiry: nil))
    #expect(try !disk.setIfAbsent(bytes(size, seed: 2), forKey: "k", expiry: .never))
    #expect(try folder.open().object(forKey: "k") == bytes(size, seed: 1))
    #expect(try disk.expiryIfPresent(forKey: "k") != .never)
    try disk.setObject(bytes(size, seed: 3), forKey: "k", expiry: .date(.distantPast))
    #expect(try disk.setIfAbsent(bytes(size, seed: 4), forKey: "k", expiry: nil))
    #expect(try disk.object(forKey: "k") == bytes(size, seed: 4))
    #expect(try disk.verify() == [])
    #expect(disk.totalSize == (layout == .files ? try folder.entryBytes() : try folder.logBytes()))
  }

  @Test(arguments: layouts, [10, 200_000])
  func aTouchChangesTheExpiryAlone(_ layout: DiskLayout, _ size: Int) throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let date = Date(timeIntervalSinceReferenceDate: 5e9)
    #expect(try !disk.touch(forKey: "k", expiry: .never))
    try disk.setObject(bytes(size), forKey: "k", expiry: .seconds(1000))
    let path = try disk.entry(forKey: "k").filePath
    #expect(try disk.touch(forKey: "k", expiry: .date(date)))
    for disk in [disk, try folder.open()] {
      #expect(try disk.entry(forKey: "k").object == bytes(size))
      #expect(try disk.expiryIfPresent(forKey: "k") == .date(date))
      #expect(try disk.entry(forKey: "k").filePath == path)
    }
    #expect(disk.totalSize == (layout == .files ? try folder.entryBytes() : try folder.logBytes()))
    #expect(try disk.touch(forKey: "k", expiry: .date(.distantPast)))
    #expect(try !disk.touch(forKey: "k", expiry: .never))
    #expect(try disk.objectIfPresent(forKey: "k") == nil)
    #expect(try disk.verify() == [])
  }

  /// Under a limit, `touch` evicts other entries to make room for its record, but never the touched one.
  @Test func whatIsTouchedAtTheLimitStays() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: 2_000_000)
    for key in 0..<9 { try disk.setObject(Data(count: 200_000), forKey: key, expiry: nil) }
    for round in 0..<2000 {
      #expect(try disk.touch(forKey: 8, expiry: .seconds(1000 + Double(round))))
    }
    #expect(try disk.object(forKey: 8) == Data(count: 200_000))
    #expect(disk.totalSize == (try folder.logBytes()))
    #expect(disk.totalSize <= 2_000_000)
  }

  /// Of several stores that share a folder, exactly one stores its value.
  @Test(arguments: layouts)
  func oneOfManyStores(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let stores = try (0..<4).map { _ in try folder.open(Int.self) }
    let winners = Locked<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do {
        for key in 0..<50 where try stores[worker].setIfAbsent(text("\(worker)"), forKey: key, expiry: nil) {
          winners.withLock { $0.append(key) }
        }
      } catch { Issue.record(error) }
    }
    #expect(winners.withLock { $0.sorted() } == Array(0..<50))
  }

  @Test(arguments: layouts)
  func noUpdateIsLostBetweenStores(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let stores = try (0..<4).map { _ in try folder.open() }
    try stores[0].setObject(text("0"), forKey: "n", expiry: nil)
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      do { for _ in 0..<50 { try stores[worker].update(forKey: "n", Self.increment) } } catch {
        Issue.record(error)
      }
    }
    #expect(try folder.open().object(forKey: "n") == text("200"))
  }

  /// A concurrent write makes a running update run again. A write of the same key inside the update would repeat it
  /// without end, so it throws.
  @Test(arguments: layouts)
  func aWriteMeanwhileIsSeen(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try disk.setObject(text("1"), forKey: "n", expiry: nil)
    var runs = 0
    let stored = try disk.update(forKey: "n") { value in
      runs += 1
      if runs == 1 {
        let thread = Thread {
          do { try folder.open().setObject(text("41"), forKey: "n", expiry: nil) } catch {
            Issue.record(error)
          }
        }
        thread.start()
        while !thread.isFinished { sched_yield() }
      }
      #expect(failure { try disk.removeObject(forKey: "n") } == .deadlock)
      #expect(failure { try folder.open().setObject(text("x"), forKey: "n", expiry: nil) } == .deadlock)
      try disk.setObject(value, forKey: "another", expiry: nil)
      Self.increment(&value)
    }
    #expect(runs == 2)
    #expect(stored == text("42"))
    #expect(try disk.object(forKey: "n") == text("42"))
  }

  private static func increment(_ value: inout Data) {
    value = text("\((Int(String(decoding: value, as: UTF8.self)) ?? 0) + 1)")
  }
}
