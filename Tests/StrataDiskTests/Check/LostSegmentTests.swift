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

/// Segments that were deleted or cut short: their entries are lost, and opening the store reports that.
struct LostSegmentTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder(.automatic) }

  /// Writes a thousand keys three times each, with some values as files and some keys removed.
  private func fill() throws {
    let disk = try folder.open(Int.self)
    for round in 0..<3 {
      for key in 0..<1000 {
        try disk.setObject(bytes(1000, seed: 1000 * round + key), forKey: key, expiry: nil)
      }
    }
    for key in 2000..<2003 { try disk.setObject(bytes(70_000, seed: key), forKey: key, expiry: nil) }
    for key in 0..<10 { try disk.removeObject(forKey: key) }
    #expect(try folder.segments().count > 4)
  }

  private func cut(_ segment: URL, to count: Int) throws {
    let file = try File(segment.path, O_RDWR)
    try file.truncate(to: count)
  }

  private func middle(of segment: URL) throws -> Int { try boundary(in: segment, at: 0.5) }

  /// Returns the offset of a record near a part of a segment.
  private func boundary(in segment: URL, at part: Double) throws -> Int {
    let data = Array(try Data(contentsOf: segment))
    let header = try data.withUnsafeBytes { try SegmentHeader($0) }
    var offsets: [Int] = []
    data.withUnsafeBytes { data in
      LogScan.walk(data.part(SegmentHeader.size..<data.count), from: SegmentHeader.size, seed: header.seed) {
        offsets.append($0.range.lowerBound)
      }
    }
    return offsets[Int(Double(offsets.count) * part)]
  }

  enum Loss: CaseIterable { case first, middle, last, all, firstCut, middleCut, lastCut, lastTwo }

  private func strike(_ loss: Loss) throws {
    let segments = try folder.segments()
    switch loss {
    case .first: try FileManager.default.removeItem(at: segments[0])
    case .middle: try FileManager.default.removeItem(at: segments[2])
    case .last: try FileManager.default.removeItem(at: segments[segments.count - 1])
    case .lastTwo: for segment in segments.suffix(2) { try FileManager.default.removeItem(at: segment) }
    case .all: for segment in segments { try FileManager.default.removeItem(at: segment) }
    case .firstCut: try cut(segments[0], to: boundary(in: segments[0], at: 0.25))
    case .middleCut: try cut(segments[2], to: middle(of: segments[2]))
    case .lastCut: try cut(segments[segments.count - 1], to: middle(of: segments[segments.count - 1]))
    }
  }

  @Test(arguments: Loss.allCases) func openingReportsTheLossOnce(_ loss: Loss) throws {
    try fill()
    let values = try folder.names("Values").count
    try strike(loss)
    let disk = try folder.open(Int.self)
    #expect(folder.damage.all.count == 1)
    #expect(folder.damage.all.first == .malformedFileAttributes)
    #expect(folder.damage.all.first?.message.contains("lost") == true)
    // The file of a value is kept if its record may have been lost.
    let kept = try folder.damagedNames().count { $0.contains(".value") }
    #expect(try folder.names("Values").count + kept == values)
    #expect(try disk.verify() == [])
    #expect(try disk.totalSize == folder.logBytes())
    try disk.setObject(text("works"), forKey: 1, expiry: nil)
    let again = try folder.open(Int.self)
    #expect(try again.object(forKey: 1) == text("works"))
    #expect(folder.damage.all.count == 1)
    #expect(try again.verify() == [])
  }

  /// Without the control file, segment numbers and tables show a loss in the middle of the log, but nothing shows a
  /// loss at its end.
  @Test(arguments: [Loss.middle, .middleCut]) func withoutAControlFile(_ loss: Loss) throws {
    try fill()
    try strike(loss)
    try FileManager.default.removeItem(at: folder.store.appending(path: "control"))
    _ = try folder.open(Int.self)
    #expect(folder.damage.all.count == 1)
    _ = try folder.open(Int.self)
    #expect(folder.damage.all.count == 1)
  }

  /// A store that stays open still has its index, and after a repair returns no older values.
  @Test(arguments: [Loss.first, .middle, .middleCut]) func repairUnderAnOpenStore(_ loss: Loss) throws {
    try fill()
    let disk = try folder.open(Int.self)
    let other = try folder.open(Int.self)
    #expect(try other.keys().count == 993)
    try strike(loss)
    let found = try disk.verify()
    #expect(found.contains { $0.kind == .damaged })
    #expect(try disk.repair() == found)
    #expect(try disk.verify() == [])
    for store in [disk, other, try folder.open(Int.self)] {
      for key in 0..<1000 {
        let value = try store.entryIfPresent(forKey: key)?.object
        #expect(value == nil || key > 9 && value == bytes(1000, seed: 2000 + key), "\(key)")
      }
    }
    #expect(try disk.verify() == [])
    #expect(try disk.totalSize == folder.logBytes())
  }

  /// The last full segment becomes the last one, with damage after its table of contents. The log must not continue
  /// there, since its next table would lack the earlier records.
  @Test(arguments: [13, 1000]) func bytesBehindTheLastTable(_ count: Int) throws {
    try fill()
    let segments = try folder.segments()
    let file = try File(segments[segments.count - 2].path, O_RDWR)
    try file.write(Array(bytes(count)), at: Int(file.status().size))
    try strike(.last)
    let disk = try folder.open(Int.self)
    try disk.repair()
    var left = try entries(of: disk)
    for key in 5000..<6000 {
      left[key] = bytes(1000, seed: key)
      try disk.setObject(bytes(1000, seed: key), forKey: key, expiry: nil)
    }
    let again = try folder.open(Int.self)
    #expect(try entries(of: again) == left)
    #expect(try again.totalSize == folder.logBytes())
    #expect(try again.verify() == [])
  }

  private func entries(of disk: DiskStorage<Int>) throws -> [Int: Data] {
    var found: [Int: Data] = [:]
    for key in try disk.keys() { found[key] = try disk.object(forKey: key) }
    return found
  }

  /// The segment that compaction is emptying ends before its remaining part, or is missing.
  @Test(arguments: [Loss.first, .firstCut]) func theSegmentBeingEmptied(_ loss: Loss) throws {
    try fill()
    let disk = try folder.open(Int.self)
    let log = try #require(disk.engine as? LogFolder)
    for i in 0..<10_000 {
      if try log.using({ $0.control.emptied }) > 200_000 { break }
      try disk.setObject(bytes(1000, seed: i), forKey: i % 1000, expiry: nil)
    }
    #expect(try log.using { $0.control.emptied } > 200_000)
    try strike(loss)
    let again = try folder.open(Int.self)
    for i in 0..<3000 { try again.setObject(bytes(1000, seed: i), forKey: i % 1000, expiry: nil) }
    #expect(try again.verify() == [])
    #expect(try again.totalSize == folder.logBytes())
  }

  /// If another program deletes segments that a store has open, nothing is lost.
  @Test func deletedSegmentsThatAreStillOpen() throws {
    try fill()
    let disk = try folder.open(Int.self)
    let left = try entries(of: disk)
    for loss in [Loss.middle, .last] { try strike(loss) }
    let found = try disk.verify()
    #expect(found.count { $0.reason.contains("missing") } == 2)
    #expect(try disk.repair() == found)
    #expect(try disk.verify() == [])
    for store in [disk, try folder.open(Int.self)] { #expect(try entries(of: store) == left) }
    #expect(try disk.totalSize == folder.logBytes())
  }

  /// Only removals are cut off the last segment: no entry is lost, and no removed entry reappears.
  @Test func removalsThatAreCutOff() throws {
    try fill()
    let disk = try folder.open(Int.self)
    let left = try entries(of: disk)
    let segment = try #require(try folder.segments().last)
    let removal = Record(kind: .removal, keyLength: 1, valueLength: 0, expiry: .never).length
    try cut(segment, to: try Data(contentsOf: segment).count - 3 * removal)
    #expect(try disk.repair().count == 1)
    for store in [disk, try folder.open(Int.self)] {
      #expect(try entries(of: store) == left)
      #expect(try store.verify() == [])
      #expect(try store.totalSize == folder.logBytes())
    }
  }

  /// A short segment has no table of contents, but the control file contains the total length of all segments.
  @Test func aShortSegmentThatIsCut() throws {
    let disk = try folder.open(Int.self, maxSize: 400_000)
    for key in 0..<200 { try disk.setObject(bytes(1000, seed: key), forKey: key, expiry: nil) }
    let segment = try folder.segments()[1]
    try cut(segment, to: middle(of: segment))
    #expect(try disk.verify().contains { $0.kind == .damaged })
    _ = try folder.open(Int.self, maxSize: 400_000)
    #expect(folder.damage.all.count == 1)
    _ = try folder.open(Int.self, maxSize: 400_000)
    #expect(folder.damage.all.count == 1)
  }
}
