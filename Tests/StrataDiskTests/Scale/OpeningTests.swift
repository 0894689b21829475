import Foundation
import StrataCore
import Testing

@testable import StrataDisk

/// Opening a log of several segments: the live bytes equal those counted while the log was written.
struct OpeningTests {
  private func session(of disk: DiskStorage<Int>) throws -> LogSession {
    try #require(disk.engine as? LogFolder).using { $0 }
  }

  private func fill(_ disk: DiskStorage<Int>) throws -> [Int: Data] {
    var random = Seeded(state: 15)
    var stored: [Int: Data] = [:]
    for round in 0..<4000 {
      let key = Int.random(in: 0..<1500, using: &random)
      if round % 7 == 0 {
        try disk.removeObject(forKey: key)
        stored[key] = nil
      } else {
        stored[key] = bytes(900, seed: round)
        try disk.setObject(bytes(900, seed: round), forKey: key, expiry: nil)
      }
    }
    return stored
  }

  @Test(arguments: [0, 4_000_000] as [UInt]) func liveBytesAreCounted(_ maxSize: UInt) throws {
    let folder = try TestFolder(.packed)
    let disk = try folder.open(Int.self, maxSize: maxSize)
    let stored = try fill(disk)
    #expect(try folder.names().filter { EntryName.segmentNumber($0) != nil }.count > 3)
    let before = try session(of: disk)
    let opened = try folder.open(Int.self, maxSize: maxSize)
    let after = try session(of: opened)
    for (key, value) in stored { #expect(try opened.object(forKey: key) == value) }
    #expect(try Set(opened.keys()) == Set(stored.keys))
    try after.change { writer in
      #expect(writer.debt == after.control.logBytes - after.view.withLock { $0.liveBytes })
    }
    func live(_ session: LogSession) -> SegmentSums { session.view.withLock { $0.live } }
    #expect(live(after).total == live(before).total)
    #expect(live(after).first == live(before).first)
    #expect(
      live(after).others.reversed().drop { $0 == 0 }.elementsEqual(
        live(before).others.reversed().drop { $0 == 0 }))
  }

  /// Other stores' changes between the opening and the first change are counted once.
  @Test func othersWriteBeforeTheFirstChange() throws {
    let folder = try TestFolder(.packed)
    let disk = try folder.open(Int.self)
    var stored = try fill(disk)
    let opened = try folder.open(Int.self)
    let session = try session(of: opened)
    for key in 0..<700 {
      try disk.setObject(bytes(50, seed: key), forKey: key, expiry: nil)
      stored[key] = bytes(50, seed: key)
    }
    _ = try opened.objectIfPresent(forKey: 3)
    try session.change { _ in }
    let counted = try self.session(of: disk).view.withLock { $0.liveBytes }
    #expect(session.view.withLock { $0.liveBytes } == counted)
    #expect(try Set(opened.keys()) == Set(stored.keys))
    #expect(try opened.verify() == [])
  }
}
