#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Dispatch
import StrataCore
import Testing

@testable import StrataDisk

struct LogLimitTests {
  /// The files are measured after every write of several stores.
  @Test(arguments: [300, 2000, 30_000, 1_000_000])
  func itHoldsAfterEveryWrite(_ limit: Int) throws {
    let folder = try TestFolder(.automatic)
    let stores = [
      try folder.open(Int.self, maxSize: UInt(limit)), try folder.open(Int.self, maxSize: UInt(limit)),
    ]
    var random = Seeded(state: UInt64(limit))
    var stored: [Int: Data] = [:]
    for round in 0..<300 {
      let disk = stores[round % 2]
      let key = Int.random(in: 0..<100, using: &random)
      let value = bytes(Int.random(in: 0..<limit / 4, using: &random), seed: round)
      try disk.setObject(value, forKey: key, expiry: nil)
      stored[key] = value
      #expect(try folder.logBytes() <= limit)
      #expect(try disk.totalSize == folder.logBytes())
      #expect(try disk.object(forKey: key) == value)
      if round % 7 == 0 { try disk.removeObject(forKey: key) }
    }
    for disk in stores {
      for key in try disk.keys() { #expect(try disk.object(forKey: key) == stored[key]) }
    }
    #expect(try Set(stores[0].keys()) == Set(stores[1].keys()))
    #expect(try Set(stores[0].keys()) == Set(folder.open(Int.self).keys()))
    #expect(folder.damage.all == [])
  }

  /// Entries that together take three quarters of the limit stay, however often one of them is replaced.
  @Test func whatFitsStays() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: 1_000_000)
    for key in 0..<600 { try disk.setObject(bytes(1000, seed: key), forKey: key, expiry: nil) }
    for round in 0..<5000 { try disk.setObject(bytes(1000, seed: round), forKey: 17, expiry: nil) }
    #expect(try disk.keys().count == 600)
    #expect(try folder.logBytes() <= 1_000_000)
  }

  @Test func whatIsReadStays() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self, maxSize: 1_000_000)
    for key in 0..<20_000 {
      try disk.setObject(bytes(500, seed: key), forKey: key, expiry: nil)
      if key >= 5 { _ = try disk.objectIfPresent(forKey: key % 5) }
    }
    for key in 0..<5 { #expect(try disk.objectExists(forKey: key)) }
    let count = try disk.keys().count
    #expect(count > 1300 && count < 2000)
  }

  @Test func whatCannotFitIsRefusedAndNothingIsLost() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(maxSize: 100_000)
    try disk.setObject(text("v"), forKey: "k", expiry: nil)
    for count in [99_990, 100_000, 1_000_000] {
      #expect(failure { try disk.setObject(bytes(count), forKey: "k", expiry: nil) } == .tooLarge)
    }
    #expect(try disk.object(forKey: "k") == text("v"))
    try disk.setObject(bytes(99_700), forKey: "k", expiry: nil)
    #expect(try disk.object(forKey: "k") == bytes(99_700))
    #expect(try folder.logBytes() <= 100_000)
  }

  @Test func writersInManyThreads() throws {
    let folder = try TestFolder(.automatic)
    let limit = 500_000
    let stores = [
      try folder.open(Int.self, maxSize: UInt(limit)), try folder.open(Int.self, maxSize: UInt(limit)),
    ]
    let gate = ReadWriteGate()
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      var random = Seeded(state: UInt64(worker))
      do {
        for round in 0..<300 {
          let key = Int.random(in: 0..<200, using: &random)
          let value = bytes(Int.random(in: 0..<(round % 20 == 0 ? 70_000 : 8000), using: &random), seed: key)
          try gate.shared { try stores[worker % 2].setObject(value, forKey: key, expiry: nil) }
          if round % 5 == 0 {
            try gate.exclusive {
              let size = try folder.logBytes()
              #expect(size <= limit)
            }
          }
          if let read = try stores[(worker + 1) % 2].entryIfPresent(forKey: key)?.object {
            #expect(read == bytes(read.count, seed: key))
          }
        }
      } catch { Issue.record(error) }
    }
    #expect(try Set(stores[0].keys()) == Set(folder.open(Int.self).keys()))
    #expect(folder.damage.all == [])
  }
}
