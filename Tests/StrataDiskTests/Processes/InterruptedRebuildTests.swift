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

/// The control file is lost, and the process that rebuilds it is interrupted. All writes are kept: writes that others
/// have made meanwhile with the old file, and later ones.
@Suite(.timeLimit(.minutes(5)))
struct InterruptedRebuildTests {
  enum Interruption: CustomTestStringConvertible {
    /// The new control file is lost too, during the copy with this number.
    case loss(copy: Int)
    /// The copy with this number fails, as if the process were killed there.
    case failure(copy: Int)

    var testDescription: String { "\(self)" }
  }

  private let folder: TestFolder

  init() throws { folder = try TestFolder(.automatic) }

  @Test(arguments: [Interruption.loss(copy: 1), .loss(copy: 2), .failure(copy: 1), .failure(copy: 2)])
  func whatOthersWriteMeanwhileIsKept(_ interruption: Interruption) async throws {
    let folder = folder
    let old = try folder.open(Int.self)
    for key in 0..<20 { try await old.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    let control = folder.store.appending(path: EntryName.control)
    try FileManager.default.removeItem(at: control)

    let copies = Locked(0)
    let writing = Locked<Task<Bool, any Error>?>(nil)
    let duringTheCopy = FileProtection { path throws(SystemError) in
      guard EntryName.isTemporary(URL(fileURLWithPath: path).lastPathComponent) else { return }
      let copy = copies.withLock { copies in
        copies += 1
        return copies
      }
      if copy == 1 {
        let length = Self.length(of: folder)
        writing.withLock {
          $0 = Task {
            try await onThread { try old.setIfAbsent(bytes(100, seed: 20), forKey: 20, expiry: nil) }
          }
        }
        // The write either takes effect now, or waits until the log can be used again.
        var looks = 0
        while Self.length(of: folder) == length, looks < 1_000_000 {
          looks += 1
          sched_yield()
        }
        if Self.length(of: folder) == length { throw SystemError("pwrite", path, ETIMEDOUT) }
      }
      if case .loss(copy) = interruption { unlink(control.path) }
      if case .failure(copy) = interruption { throw SystemError("chmod", path, EIO) }
    }
    let config = DiskConfig(name: "store", directory: folder.url, layout: .automatic)
    let new = LogFolder(config, in: EntryFolder(path: folder.store.path), protection: duringTheCopy)
    let opening = await Task { try await onThread { try new.using { _ in } } }.result
    let task = writing.withLock { $0 }
    // The store must not find its own record.
    #expect(try await task?.value == true)
    switch opening {
    case .failure(let error as SystemError): #expect(error.code == EIO)
    default: try opening.get()
    }

    for disk in [try folder.open(Int.self), old] {
      try expectAll(in: disk)
    }
    #expect(folder.damage.all == [])
  }

  /// The machine stopped when a process was about to replace the last segment, and the old control file is used again.
  @Test func aClosedSegmentIsOpenedByTheNextWrite() throws {
    let disk = try folder.open(Int.self)
    for key in 0..<20 { try disk.setObject(bytes(100, seed: key), forKey: key, expiry: nil) }
    let segment = try File(folder.store.appending(path: EntryName.segment(1)).path, O_RDWR)
    #expect(try segment.setClosed(true))
    #expect(try segment.isUnlinkedOrClosed())
    try disk.setObject(bytes(100, seed: 20), forKey: 20, expiry: nil)
    #expect(try !segment.isUnlinkedOrClosed())
    try expectAll(in: disk)
    try expectAll(in: folder.open(Int.self))
    #expect(folder.damage.all == [])
  }

  private func expectAll(in disk: DiskStorage<Int>) throws {
    for key in 0..<21 { #expect(try disk.objectIfPresent(forKey: key) == bytes(100, seed: key), "\(key)") }
    #expect(try disk.verify() == [])
  }

  private static func length(of folder: TestFolder) -> Int {
    var status = stat()
    return lstat(folder.store.appending(path: EntryName.segment(1)).path, &status) == 0
      ? Int(status.st_size) : 0
  }
}
