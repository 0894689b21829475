#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import StrataTestKit
import Testing

@testable import StrataDisk

struct DiskExpiryTests {
  let folder: TestFolder
  let time = ManualClock()

  init() throws { folder = try TestFolder() }

  @Test func theDateComesBackExactly() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0.1 + 1e9 / 3)
    try folder.open().setObject(text("v"), forKey: "k", expiry: .date(date))
    #expect(try folder.open().entryIfPresent(forKey: "k")?.expiry == .date(date))
    #expect(try folder.open().expiryIfPresent(forKey: "k") == .date(date))
  }

  @Test func secondsCountFromTheWriteToTheFraction() throws {
    let disk = try folder.open(clock: time.clock)
    try disk.setObject(text("v"), forKey: "k", expiry: .seconds(0.25))
    #expect(try disk.expiryIfPresent(forKey: "k") == .date(time.date.addingTimeInterval(0.25)))
    time.advance(by: 0.2499)
    #expect(try disk.objectExists(forKey: "k"))
    #expect(try disk.keys() == ["k"])
    time.advance(by: 0.0002)
    #expect(try disk.objectIfPresent(forKey: "k") == nil)
    #expect(try disk.keys() == [])
    #expect(try disk.entryIfPresent(forKey: "k")?.object == text("v"))
  }

  @Test(arguments: [Expiry.seconds(0), .seconds(-1), .date(.distantPast)])
  func whatIsPastIsExpiredAtOnce(_ expiry: Expiry) throws {
    let disk = try folder.open(clock: time.clock)
    try disk.setObject(text("v"), forKey: "k", expiry: expiry)
    #expect(try disk.isExpiredObject(forKey: "k"))
    #expect(try disk.keys() == [])
    #expect(try disk.entryIfPresent(forKey: "k")?.expiry.isExpired(by: time.clock) == true)
    try disk.removeExpiredObjects()
    #expect(try disk.entryIfPresent(forKey: "k") == nil)
  }

  /// A sweep finds exactly the expired entries, however the clock is set meanwhile.
  @Test(arguments: [DiskLayout.files, .automatic]) func aClockThatJumps(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    var random = SeededGenerator(seed: 7)
    let disk = try folder.open(Int.self, clock: time.clock)
    var dates: [Int: Date] = [:]
    for round in 0..<200 {
      time.advance(by: Double.random(in: -100...100, using: &random))
      for _ in 0..<5 {
        let key = Int.random(in: 0..<50, using: &random)
        let date = time.date.addingTimeInterval(Double.random(in: 0.01...150, using: &random))
        try disk.setObject(text("\(round)"), forKey: key, expiry: .date(date))
        dates[key] = date
      }
      if round % 4 != 0 { continue }
      try disk.removeExpiredObjects()
      dates = dates.filter { $0.value > time.date }
      for key in 0..<50 {
        #expect(
          try (disk.entryIfPresent(forKey: key) != nil) == (dates[key] != nil), "round \(round), key \(key)")
      }
    }
  }

  @Test func theConfigurationsExpiryAppliesWithoutOneOfItsOwn() throws {
    let disk = try folder.open(expiry: .seconds(60), clock: time.clock)
    try disk.setObject(text("v"), forKey: "default", expiry: nil)
    try disk.setObject(text("v"), forKey: "never", expiry: .never)
    #expect(try disk.expiryIfPresent(forKey: "default") == .date(time.date.addingTimeInterval(60)))
    #expect(try disk.expiryIfPresent(forKey: "never") == .never)
  }

  @Test(arguments: [false, true])
  func aSweepRemovesWhatHasExpiredAndNothingElse(afterRestart: Bool) throws {
    let disk = try folder.open(clock: time.clock)
    for i in 0..<20 { try disk.setObject(text("v"), forKey: "\(i)", expiry: .seconds(Double(i))) }
    try disk.setObject(text("v"), forKey: "never", expiry: .never)
    try disk.setObject(text("v"), forKey: "3", expiry: .seconds(100))
    time.advance(by: 10)
    let sweeping = afterRestart ? try folder.open(clock: time.clock) : disk
    try sweeping.removeExpiredObjects()
    let left = Set((11..<20).map(String.init)).union(["never", "3"])
    #expect(Set(try sweeping.keys()) == left)
    #expect(try folder.names() == left.map { EntryName.of(Array($0.utf8)) }.sorted())
    #expect(try sweeping.totalSize == folder.entryBytes())
  }

  /// The index stores expiries as seconds since 2001 in 32 bits. Entries that expire later are removed all the same.
  @Test(arguments: [DiskLayout.automatic, .packed, .files])
  func whatExpiresInACenturyIsSwept(_ layout: DiskLayout) throws {
    let folder = try TestFolder(layout)
    let time = ManualClock()
    let disk = try folder.open(clock: time.clock)
    let century = 86_400.0 * 365.25 * 100
    try disk.setObject(text("v"), forKey: "150 years", expiry: .seconds(1.5 * century))
    try disk.setObject(text("v"), forKey: "250 years", expiry: .seconds(2.5 * century))
    try disk.setObject(text("v"), forKey: "never", expiry: .never)
    time.advance(by: 2 * century)
    try disk.removeExpiredObjects()
    #expect(try disk.entryIfPresent(forKey: "150 years") == nil)
    #expect(try Set(disk.keys()) == ["250 years", "never"])
  }
}
