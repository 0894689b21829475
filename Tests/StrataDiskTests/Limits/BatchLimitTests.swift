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
import Testing

@testable import StrataDisk

#if os(Linux)
  private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
  private let openFiles = RLIMIT_NOFILE
#endif

/// Batches that exceed the offsets of a segment, or have more value files than a process may open.
struct BatchLimitTests {
  @Test func aBatchOfMoreThanASegmentCanHold() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self)
    try disk.setObject(text("before"), forKey: -1, expiry: nil)
    let values = (0..<4).map { Data(repeating: UInt8($0), count: 60_000 + $0) }
    let batch = Dictionary(uniqueKeysWithValues: (0..<2300).map { ($0, values[$0 % 4]) })
    try disk.setObjects(batch, expiry: nil)
    try disk.setObject(text("behind"), forKey: -2, expiry: nil)
    for disk in [disk, try folder.open(Int.self)] {
      #expect(try disk.object(forKey: -1) == text("before"))
      #expect(try disk.object(forKey: -2) == text("behind"))
      for key in stride(from: 0, to: 2300, by: 33) {
        #expect(try disk.entryIfPresent(forKey: key)?.object == values[key % 4])
      }
      #expect(try disk.expiryIfPresent(forKey: 2299) == .never)
    }
    #expect(folder.damage.all == [])
  }

  @Test func aBatchOfMoreFilesThanMayBeOpen() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self)
    let value = Data(repeating: 1, count: 1 << 16)
    var limit = rlimit()
    #expect(getrlimit(openFiles, &limit) == 0)
    // With a limit as high as the system's maximum, the fault cannot occur.
    let count = min(Int(clamping: limit.rlim_cur) + 10, 1500)
    try disk.setObjects(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, value) }), expiry: nil)
    #expect(try disk.keys().count == count)
    #expect(try folder.names(EntryName.values).count == count)
    #expect(try disk.totalSize == folder.logBytes())
    #expect(try disk.entries(forKeys: [0, count - 1]).values.map(\.object) == [value, value])
  }

  /// Stored as files, this many small values would be too many for a folder.
  @Test func aBatchThatIsTooLongEvenSoIsRefused() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self)
    try disk.setObject(text("v"), forKey: 0, expiry: nil)
    let value = Data(repeating: 1, count: 4000)
    let batch = Dictionary(uniqueKeysWithValues: (0..<34_000).map { ($0, value) })
    #expect(failure { try disk.setObjects(batch, expiry: nil) } == .tooLarge)
    #expect(try disk.keys() == [0])
    #expect(try disk.object(forKey: 0) == text("v"))
    #expect(try disk.verify() == [])
  }
}
