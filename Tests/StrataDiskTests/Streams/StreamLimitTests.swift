import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

struct StreamLimitTests {
  static let layouts = DiskStreamTests.layouts

  /// The limit counts while the value is written: the first byte too many is refused.
  @Test(arguments: layouts)
  func tooLargeIsRefusedEarly(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open(maxSize: 5_000_000)
    try await disk.write(forKey: "film", from: PartSequence(bytes(1_200_000), by: 1 << 20))
    try await disk.write(forKey: "other", from: PartSequence(bytes(1_200_000), by: 1 << 20))
    let count = Locked(0)
    let endless = AsyncStream<Data> {
      count.withLock { $0 += 1 }
      return Data(count: 1_000_000)
    }
    await #expect(throws: StorageError.tooLarge) { try await disk.write(forKey: "film", from: endless) }
    #expect(count.withLock { $0 } <= 6)
    #expect(try await disk.object(forKey: "film") == bytes(1_200_000))
    // Nothing was evicted for a value that was not stored.
    #expect(try await disk.object(forKey: "other") == bytes(1_200_000))
    #expect(try folder.names().filter(EntryName.isTemporary) == [])
    let staged = try await disk.stage("film", nil, [])
    await #expect(throws: StorageError.tooLarge) { try await staged.append(Data(count: 5_000_000)) }
    await staged.discard()
  }

  @Test(arguments: layouts)
  func itMakesRoom(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open(maxSize: 20_000_000)
    for i in 0..<30 {
      try await disk.write(forKey: "\(i)", from: PartSequence(bytes(1_500_000, seed: i), by: 1 << 20))
      #expect(disk.totalSize <= 20_000_000)
      if layout != .files { #expect(try folder.logBytes() <= 20_000_000) }
    }
    let keys = try await disk.keys()
    #expect(keys.count >= 10)
    for key in keys {
      #expect(try await disk.read(forKey: key).data() == bytes(1_500_000, seed: #require(Int(key))))
    }
    #expect(try await disk.objectIfPresent(forKey: "0") == nil)
    #expect(try disk.verify() == [])
  }

  /// Streams among small values: their records move from segment to segment.
  @Test func recordsAreMoved() async throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try await disk.write(forKey: "film", from: PartSequence(bytes(3_000_000), by: 1 << 20))
    for round in 0..<4 {
      for i in 0..<400 { try await disk.setObject(bytes(5000, seed: i + round), forKey: "\(i)") }
    }
    try disk.compact()
    let first = try folder.segments().first?.lastPathComponent
    #expect(first != EntryName.segment(1))
    for disk in [disk, try folder.open()] {
      #expect(try await disk.object(forKey: "film") == bytes(3_000_000))
      #expect(try disk.verify() == [])
    }
    for segment in try folder.segments() {
      let header = try Data(contentsOf: segment).prefix(SegmentHeader.size).withUnsafeBytes {
        try SegmentHeader($0)
      }
      #expect(header.version == 2)
    }
  }

  /// The log of a store without streams can be read by older versions; once it has one, it cannot.
  @Test func onlyALogWithStreamsHasTheNewVersion() async throws {
    let folder = try TestFolder(.automatic)
    func versions() throws -> [UInt32] {
      try folder.segments().map {
        try Data(contentsOf: $0).prefix(SegmentHeader.size).withUnsafeBytes { try SegmentHeader($0) }.version
      }
    }
    let disk = try folder.open()
    try await disk.setObject(bytes(100_000), forKey: "k")
    try await disk.write(forKey: "small", from: PartSequence(bytes(10_000), by: 1 << 20))
    #expect(try versions() == [1])
    try await disk.write(forKey: "film", from: PartSequence(bytes(100_000), by: 1 << 20))
    #expect(try versions() == [1, 2])
    try await disk.removeObject(forKey: "film")
    try disk.compact()
    try disk.compact()
    #expect(try Set(versions()) == [2])
    try await disk.removeAll()
    try await disk.setObject(text("v"), forKey: "k")
    #expect(try versions() == [1])
  }
}
