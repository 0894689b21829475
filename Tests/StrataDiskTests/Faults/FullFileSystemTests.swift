#if os(Linux)
  import Foundation
  import Glibc
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataDisk

  /// A small file system that is filled up.
  @Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
  struct FullFileSystemTests {
    private func fill(_ disk: borrowing SmallFileSystem) throws -> URL {
      let filler = disk.url.appending(path: "filler")
      let file = try File(filler.path, O_WRONLY | O_CREAT)
      for size in 0..<1024 {
        let failure = systemFailure { try file.write([UInt8](repeating: 1, count: 1024), at: size * 1024) }
        if failure?.code == ENOSPC { return filler }
      }
      throw CallFailed(call: "filling a disk of 64 kB")
    }

    private func systemFailure(_ body: () throws -> Void) -> SystemError? {
      do { try body() } catch { return error as? SystemError }
      return nil
    }

    @Test(arguments: [DiskLayout.automatic, .packed, .files])
    func whatIsStoredStaysAndCanBeRemoved(_ layout: DiskLayout) throws {
      let disk = try SmallFileSystem()
      let folder = try TestFolder(layout, in: disk.url)
      let storage = try folder.open()
      var stored: [String: Data] = [:]
      var refused: StorageError?
      for i in 0..<100 where refused == nil {
        let value = bytes(1500, seed: i)
        refused = failure { try storage.setObject(value, forKey: "\(i)", expiry: nil) }
        if refused == nil { stored["\(i)"] = value }
      }
      #expect(stored.count > 5)
      #expect(refused == .backendFailed)
      #expect(refused?.message.contains("No space left on device") == true)
      #expect(refused?.place?.hasPrefix(storage.path) == true)
      for store in [storage, try folder.open()] {
        for (key, value) in stored { #expect(try store.object(forKey: key) == value) }
        #expect(try Set(store.keys()) == Set(stored.keys))
      }
      try storage.removeAll()
      #expect(try storage.verify() == [])
      // A process that another test is starting keeps deleted files open until it calls `exec`, so that their space is
      // not free yet.
      var full = failure { try storage.setObject(bytes(1500), forKey: "again", expiry: nil) }
      for _ in 0..<1000 where full != nil {
        usleep(1000)
        full = failure { try storage.setObject(bytes(1500), forKey: "again", expiry: nil) }
      }
      #expect(full == nil)
      #expect(try folder.open().object(forKey: "again") == bytes(1500))
    }

    /// A removal is a write too. Even on a full disk every entry can be removed, and the freed space can be used again.
    @Test(arguments: [[100], [1500], [300, 3000, 100_000]], [false, true])
    func allCanBeRemovedOneByOne(_ sizes: [Int], _ inOrder: Bool) throws {
      let disk = try SmallFileSystem(size: "3m")
      let folder = try TestFolder(.automatic, in: disk.url)
      let storage = try folder.open(Int.self)
      var random = Seeded(state: 13)
      var keys: [Int] = []
      var refused: StorageError?
      while refused == nil {
        let size = sizes[
          Int.random(in: 0..<100, using: &random) < 90 ? 0 : Int.random(in: 0..<sizes.count, using: &random)]
        refused = failure { try storage.setObject(Data(count: size), forKey: keys.count, expiry: nil) }
        if refused == nil { keys.append(keys.count) }
      }
      #expect(refused == .backendFailed)
      // Fills the last blocks of the file system.
      var extra = 0
      for size in [1000, 10, 1] {
        while failure({ try storage.setObject(Data(count: size), forKey: -1 - extra, expiry: nil) }) == nil {
          extra += 1
        }
      }
      if !inOrder { keys.shuffle(using: &random) }
      for key in keys { try storage.removeObject(forKey: key) }
      #expect(try storage.keys().count == extra)
      #expect(try storage.verify() == [])
      try storage.setObject(Data(count: 100_000), forKey: 0, expiry: nil)
      #expect(try folder.open(Int.self).object(forKey: 0) == Data(count: 100_000))
      #expect(try folder.open(Int.self).keys().count == extra + 1)
    }

    /// Space for removals is reserved only on a disk that may become full.
    @Test(arguments: [true, false])
    func roomIsKeptWhereItIsScarce(_ isSmall: Bool) throws {
      let disk = try SmallFileSystem(size: "8m")
      let folder = try isSmall ? TestFolder(.automatic, in: disk.url) : TestFolder(.automatic)
      let storage = try folder.open(Int.self)
      for key in 0..<2000 { try storage.setObject(Data(count: 1000), forKey: key, expiry: nil) }
      let control = try File(folder.store.appending(path: "control").path, O_RDONLY)
      let isScarce = try control.freeBytes() < LogSession.scarce
      #expect(isScarce || !isSmall)
      let kept = try control.status().allocated
      if isScarce { #expect(kept >= 1 << 19) } else { #expect(kept <= 1 << 14) }
    }

    /// The disk space of the shared page is allocated before the page is used: otherwise the system kills a process
    /// that writes to it.
    @Test(arguments: [true, false])
    func aStoreIsOpenedOnAFullDisk(_ isNew: Bool) throws {
      let disk = try SmallFileSystem()
      let folder = try TestFolder(.automatic, in: disk.url)
      if !isNew {
        try folder.open().setObject(bytes(1000), forKey: "k", expiry: nil)
        try FileManager.default.removeItem(at: folder.store.appending(path: "control"))
      }
      try FileManager.default.createDirectory(at: folder.store, withIntermediateDirectories: true)
      let filler = try fill(disk)
      let error = failure { try folder.open() }
      #expect(error == .backendFailed)
      #expect(error?.message.contains("No space left on device") == true)
      // A process that another test is starting may keep the file open after its deletion, so the file is emptied
      // first.
      try File(filler.path, O_RDWR).truncate(to: 0)
      try FileManager.default.removeItem(at: filler)
      let storage = try folder.open()
      #expect(try storage.keys() == (isNew ? [] : ["k"]))
      if !isNew { #expect(try storage.object(forKey: "k") == bytes(1000)) }
    }
  }
#endif
