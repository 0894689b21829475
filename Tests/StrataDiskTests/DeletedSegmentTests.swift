import Foundation
import StrataCore
import Testing

@testable import StrataDisk

/// Segments that another program deletes while they are in use.
struct DeletedSegmentTests {
  @Test func theLastOneIsWrittenAgain() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(Int.self)
    for key in 0..<50 { try disk.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    let segment = folder.store.appending(path: EntryName.segment(1))
    try FileManager.default.removeItem(at: segment)
    for key in 50..<100 { try disk.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    #expect(FileManager.default.fileExists(atPath: segment.path))
    let again = try folder.open(Int.self)
    for disk in [disk, again] {
      for key in 0..<100 { #expect(try disk.entryIfPresent(forKey: key)?.object == bytes(100, seed: key)) }
    }
    #expect(folder.damage.all == [.malformedFileAttributes])
    #expect(try again.verify() == [])
  }

  /// Two stores have the segment open. The second one to notice the deletion must not replace the segment that the
  /// first one has restored.
  @Test func twoWriters() throws {
    let folder = try TestFolder(.automatic)
    let stores = [try folder.open(Int.self), try folder.open(Int.self)]
    for round in 0..<100 {
      try stores[round % 2].setObject(bytes(100, seed: round), forKey: round, expiry: nil)
      if round % 30 == 17 {
        try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.segment(1)))
      }
    }
    for disk in stores + [try folder.open(Int.self)] {
      for key in 0..<100 { #expect(try disk.entryIfPresent(forKey: key)?.object == bytes(100, seed: key)) }
    }
  }
}
