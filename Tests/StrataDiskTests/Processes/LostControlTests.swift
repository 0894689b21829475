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
import TestSupport
import Testing

@testable import StrataDisk

/// Another program deletes the control file, and another store rebuilds it, at each moment at which that could disturb
/// an operation of the first store. Two stores in one process behave like two processes.
@Suite(.timeLimit(.minutes(5)))
struct LostControlTests {
  private let folder: TestFolder
  private let old: DiskStorage<Int>

  init() throws {
    folder = try TestFolder(.automatic)
    old = try folder.open(Int.self)
    for key in 0..<20 { try old.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
  }

  private func log(_ disk: DiskStorage<Int>) throws -> LogFolder {
    try #require(disk.engine as? LogFolder)
  }

  /// Opens another store, which rebuilds the control file.
  private func successor() throws -> DiskStorage<Int> {
    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.control))
    return try folder.open(Int.self)
  }

  private func expectAll(_ keys: Range<Int>) throws {
    for disk in [try folder.open(Int.self), old] {
      for key in keys { #expect(try disk.objectIfPresent(forKey: key) == bytes(100, seed: key), "\(key)") }
      #expect(try disk.verify() == [])
    }
    #expect(folder.damage.all == [])
  }

  /// The segment that is opened by its name belongs to the new log. The old store must not write to it at the old log's
  /// end.
  @Test func theLastSegmentIsOpenedAgain() throws {
    let new = try successor()
    for key in 20..<25 { try new.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    try log(old).using { _ = $0.segments.giveBack() }
    for key in 25..<30 { try old.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    try expectAll(0..<30)
  }

  /// A change that relies on file names must not be made while another process opens the log.
  @Test func aChangeByNamesLocksTheFolder() throws {
    let path = folder.store.path
    let isFree = {
      let place = try File(path, O_RDONLY)
      return try place.tryLock()
    }
    try log(old).using { session in
      try session.change { _ in
        #expect(try isFree())
        try session.holdPlace()
        #expect(try !isFree())
      }
      try session.change { _ in
        try session.startSegment()
        #expect(try !isFree())
      }
    }
    #expect(try isFree())
  }

  /// A process that rebuilds the control file waits for changes that rely on file names.
  @Test func theLogIsTakenOverBetweenChanges() async throws {
    let path = folder.store.path
    let place = try File(path, O_RDONLY)
    try place.lock()
    try FileManager.default.removeItem(at: folder.store.appending(path: EntryName.control))
    let folder = folder
    let opening = Task { try await onThread { try folder.open(Int.self).keys().count } }
    let control = try ControlFile(in: EntryFolder(path: path))
    for _ in 0..<20_000 {
      sched_yield()
      #expect(control.load(.magic) == 0)
      if control.load(.magic) != 0 { break }
    }
    place.unlock()
    #expect(try await opening.value == 20)
  }

  /// A record that the other process has found is not written again. A record that it has not found is.
  @Test(arguments: [true, false]) func aWriteDuringTheChange(isFound: Bool) throws {
    let record = NewRecord(.value, 20.storageKey.canonicalUTF8, bytes(100, seed: 20), .never)
    let stores = Locked<[DiskStorage<Int>]>([])
    let attempts = Locked(0)
    try log(old).using { session in
      attempts.withLock { $0 += 1 }
      try session.change { writer in
        try withBuffer(record.record.length) { buffer in
          var failure: (any Error)?
          try session.append(buffer, files: 0, &writer) { segment, offset in
            record.key.withUnsafeBytes { key in
              record.value.withUnsafeBytes {
                record.record.encode(into: buffer, key: key, value: $0, seed: segment.seed(at: offset))
              }
            }
            if stores.withLock({ !$0.isEmpty }) { return }
            do {
              if isFound { try segment.write(UnsafeRawBufferPointer(buffer), at: offset) }
              let new = try successor()
              stores.withLock { $0.append(new) }
            } catch { failure = error }
          }
          if let failure { throw failure }
        }
      }
    }
    #expect(attempts.withLock { $0 } == (isFound ? 1 : 2))
    try expectAll(0..<21)
  }

  /// A removal reaches the log even if the entry is not in this store's index.
  @Test func anEntryOfTheOtherIsRemoved() throws {
    let new = try successor()
    try new.setObject(bytes(100), forKey: 100, expiry: nil)
    try old.removeObject(forKey: 100)
    #expect(try new.entryIfPresent(forKey: 100) == nil)
    try expectAll(0..<20)
  }

  /// The other process has deleted the oldest segment after emptying it, so the segment must not be reported as lost.
  @Test func theOldestSegmentIsGone() throws {
    try log(old).using { session in try session.change { _ in try session.startSegment() } }
    let new = try successor()
    for round in 0..<14 {
      for key in 0..<20 {
        try new.setObject(bytes(round == 13 ? 100 : 9000, seed: key), forKey: key, expiry: nil)
      }
    }
    #expect(try !folder.names().contains(EntryName.segment(1)))
    try log(old).using { session in
      _ = session.segments.giveBack()
      _ = try session.change { try session.emptyOldest(1 << 20, &$0) }
    }
    try expectAll(0..<20)
  }

  /// A process that was opening the log when its folder was moved does not affect the folder now at the path.
  @Test func theFolderIsMovedWhileTheLogIsOpened() throws {
    let control = try ControlFile(in: EntryFolder(path: folder.store.path))
    try FileManager.default.moveItem(at: folder.store, to: folder.url.appending(path: "moved"))
    let new = try folder.open(Int.self)
    try new.setObject(bytes(100), forKey: 1, expiry: nil)
    let segment = folder.store.appending(path: EntryName.segment(1)).path
    let before = try FileStatus(of: segment)?.identity
    try log(new).using { session in
      var findings: [StorageError] = []
      #expect(throws: StaleSession.self) {
        try LogSession.rebuild(control, session.options, nil, &findings)
      }
      #expect(findings == [])
    }
    #expect(try FileStatus(of: segment)?.identity == before)
    #expect(folder.damage.all == [])
  }

  /// Other processes delete and create the folder at any moment: opening the store uses the current folder.
  @Test func theFolderComesAndGoes() async throws {
    let folder = folder
    try await withThrowingTaskGroup { group in
      for number in 0..<3 {
        group.addTask {
          try await onThread {
            for round in 0..<60 {
              let disk = try folder.open(Int.self)
              try disk.setObject(bytes(round % 9 == 0 ? 70_000 : 100), forKey: number, expiry: nil)
              let gone = folder.url.appending(path: "gone \(number) \(round)")
              guard rename(folder.store.path, gone.path) == 0 else { continue }
              // A store that another thread has open may be at work in it; the rest goes with the test's folder.
              do { try FileManager.default.removeItem(at: gone) } catch { continue }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try expectUse()
  }

  #if os(Linux)
    @Test(.enabled(if: FaultRunner.isAvailable)) func aFileOfTheFolderIsMissingForAMoment() async throws {
      let (end, lines) = try await FaultRunner.run("opening")
      #expect(lines == [])
      #expect(end == .exit(0))
    }
  #endif

  private func expectUse() throws {
    let disk = try folder.open(Int.self)
    try disk.setObject(bytes(100), forKey: 1, expiry: nil)
    #expect(try disk.objectIfPresent(forKey: 1) == bytes(100))
    #expect(folder.damage.all == [])
  }
}
