#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Foundation
import StrataCore
import Testing

@testable import StrataDisk

/// Compaction deletes old segments, but never one with damaged bytes that could not be copied to `Damaged`.
struct KeptDamageTests {
  /// The part of a segment's first record that is damaged.
  enum Place: Int, CaseIterable {
    case head = 70
    case value = 200
  }

  /// Prevents copying damaged bytes, by a file in the place of the folder `Damaged`.
  private func block(_ folder: TestFolder) throws {
    try text("a file").write(to: folder.store.appending(path: EntryName.damaged))
  }

  private func strike(_ place: Place, _ segment: URL) throws {
    let file = try File(segment.path, O_RDWR)
    let byte = try file.bytes(1, at: place.rawValue)
    try file.write([byte[0] ^ 1], at: place.rawValue)
  }

  /// Overwrites all other keys, until the log has been emptied several times. Returns the errors that writes throw.
  private func overwrite(_ disk: DiskStorage<Int>) throws -> [StorageError] {
    var errors: [StorageError] = []
    for round in 0..<400 {
      do {
        try disk.setObject(bytes(10_000, seed: round), forKey: 1 + round % 39, expiry: nil)
      } catch let error as StorageError { errors.append(error) }
    }
    return errors
  }

  @Test(arguments: Place.allCases, [0, 1_500_000] as [UInt])
  func whatCannotBeCopiedStays(_ place: Place, maxSize: UInt) throws {
    let folder = try TestFolder(.packed)
    let disk = try folder.open(Int.self, maxSize: maxSize)
    let struck = bytes(10_000, seed: -1)
    try disk.setObject(struck, forKey: 0, expiry: nil)
    for key in 1..<40 { try disk.setObject(bytes(10_000, seed: key), forKey: key, expiry: nil) }
    // The entry was just read, so that it is not evicted.
    _ = try disk.object(forKey: 0)
    let segment = folder.store.appending(path: EntryName.segment(1))
    try strike(place, segment)
    let kept = struck.suffix(9000)
    try block(folder)

    let refused = try overwrite(disk)
    // Without a limit, writes succeed and the log grows. With a limit, they must fail.
    #expect(refused.isEmpty == (maxSize == 0))
    #expect(refused.allSatisfy { $0 == .backendFailed })
    if maxSize == 0 { #expect(folder.damage.all.contains { $0 == .backendFailed }) }
    #expect(try Data(contentsOf: segment).range(of: kept) != nil)
    #expect(failure { try disk.object(forKey: 0) } != nil)
    #expect(try Data(contentsOf: segment).range(of: kept) != nil)

    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.damaged))
    #expect(try overwrite(disk).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: segment.path))
    let copies = try folder.damagedNames().map {
      try Data(contentsOf: folder.store.appending(path: "\(EntryName.damaged)/\($0)"))
    }
    #expect(copies.contains { $0.range(of: kept) != nil })
    #expect(folder.damage.all.contains { $0 == .malformedFileAttributes })
    #expect(try disk.objectIfPresent(forKey: 0) == nil)
    #expect(try disk.verify() == [])
  }

  /// A file in the place of `Damaged` is one fault, however often it is met.
  @Test(arguments: Place.allCases) func aBlockedFolderIsReportedOnce(_ place: Place) throws {
    let folder = try TestFolder(.packed)
    let disk = try folder.open(Int.self)
    for key in 0..<40 { try disk.setObject(bytes(10_000, seed: key), forKey: key, expiry: nil) }
    let segment = folder.store.appending(path: EntryName.segment(1))
    try strike(place, segment)
    let struck = try Data(contentsOf: segment)
    try block(folder)
    #expect(try overwrite(disk) == [])
    #expect(folder.damage.all.count == 1)
    let message = try #require(folder.damage.all.first).message
    #expect(message.contains("in its place"), "\(message)")
    #expect(folder.damage.all.first?.place?.hasSuffix("/Damaged") == true)
    #expect(try Data(contentsOf: segment).prefix(struck.count) == struck)
    #expect(try text("a file") == Data(contentsOf: folder.store.appending(path: EntryName.damaged)))
  }

  /// Damage in many places, none of which can be copied, is one report too; `verify()` lists the places.
  @Test func manyPlaces() throws {
    let folder = try TestFolder(.packed)
    let disk = try folder.open(Int.self)
    for key in 0..<40 { try disk.setObject(bytes(1000, seed: key), forKey: key, expiry: nil) }
    let segment = folder.store.appending(path: EntryName.segment(1))
    let data = Array(try Data(contentsOf: segment))
    let header = try data.withUnsafeBytes { try SegmentHeader($0) }
    var heads: [Int] = []
    data.withUnsafeBytes { data in
      LogScan.walk(data.part(SegmentHeader.size...), from: SegmentHeader.size, seed: header.seed) {
        heads.append($0.range.lowerBound)
      }
    }
    let file = try File(segment.path, O_RDWR)
    for record in stride(from: 2, to: 40, by: 4) { try file.write([1, 2, 3], at: heads[record] + 14) }
    try block(folder)
    for openings in 1...2 {
      let disk = try folder.open(Int.self)
      #expect(folder.damage.all.count == openings)
      #expect(try disk.verify().count { $0.kind == .damaged } == 10)
    }
    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.damaged))
    let mended = try folder.open(Int.self)
    #expect(folder.damage.all.count == 2 + 10)
    #expect(try mended.keys().count == 30)
    #expect(try mended.verify() == [])
  }
}
