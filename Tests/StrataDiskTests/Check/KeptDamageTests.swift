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
}
