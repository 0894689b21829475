#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Foundation
import StrataCore
import Testing

@testable import StrataDisk

/// The number of descriptors that stores keep open. The suite runs alone, since other tests open files too.
struct DescriptorTests {
  /// Many stores with many segments each do not keep all segments open.
  @Test func allStoresTogetherKeepFew() throws {
    let folders = try (0..<12).map { _ in try TestFolder(.automatic) }
    // With a small limit, nearly every entry has its own segment.
    let stores = try folders.map { try $0.open(Int.self, maxSize: 40_000) }
    for store in stores {
      for key in 0..<60 { try store.setObject(bytes(500, seed: key), forKey: key, expiry: nil) }
      for key in 0..<60 { _ = try store.entryIfPresent(forKey: key) }
    }
    let kept = try stores.map { store in
      try #require(store.engine as? LogFolder).using { try Self.openSegments($0) }
    }
    #expect(kept.reduce(0, +) <= Descriptors.limit)
    #expect(kept.reduce(0, +) > 0)
    for store in stores { #expect(try store.object(forKey: 59) == bytes(500, seed: 59)) }
  }

  private static func openSegments(_ session: LogSession) throws -> Int {
    try session.folder.segmentNumbers().count { session.segments.opened($0) != nil }
  }

  /// Closed segments are opened again when they are needed.
  @Test func closedSegmentsAreReopened() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    for round in 0..<20 {
      try disk.setObject(bytes(100, seed: round), forKey: "\(round % 3)", expiry: nil)
      _ = Descriptors.giveBackAll()
      #expect(try disk.object(forKey: "\(round % 3)") == bytes(100, seed: round))
      _ = Descriptors.giveBackAll()
    }
    #expect(try disk.keys().count == 3)
    #expect(folder.damage.all == [])
  }

  /// A call that finds no free descriptor is repeated after the stores have closed theirs.
  @Test func aFailedOpeningIsRepeated() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try disk.setObject(bytes(100), forKey: "k", expiry: nil)
    var calls = 0
    let result = Descriptors.opening {
      calls += 1
      if calls == 1 { errno = EMFILE }
      return calls == 1 ? -1 : 7
    }
    #expect(calls == 2)
    #expect(result == 7)
    #expect(try disk.object(forKey: "k") == bytes(100))
  }
}
