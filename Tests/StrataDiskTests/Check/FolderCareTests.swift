#if os(Linux)
  import Foundation
  import StrataCore
  import Testing

  @testable import StrataDisk

  /// The files that a store leaves in its folder, and the descriptors that it leaves open.
  struct FolderCareTests {
    private func use(_ folder: TestFolder) throws -> DiskStorage<Int> {
      let disk = try folder.open(Int.self)
      for key in 0..<100 { try disk.setObject(bytes(8000), forKey: key, expiry: nil) }
      for key in 0..<5 { try disk.setObject(bytes(70_000), forKey: key, expiry: nil) }
      for key in 0..<100 { _ = try disk.entryIfPresent(forKey: key) }
      return disk
    }

    /// Returns the open files under a folder, with their flags.
    private func openFiles(under folder: TestFolder) throws -> [(path: String, flags: Int)] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
        guard
          let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"),
          path.hasPrefix(folder.url.path)
        else { return nil }
        let info = try String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)
        let line = try #require(info.split(separator: "\n").first { $0.hasPrefix("flags:") })
        return (path, try #require(Int(line.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8)))
      }
    }

    @Test(arguments: [DiskLayout.automatic, .packed, .files])
    func allFilesAreTheUsersAlone(_ layout: DiskLayout) throws {
      let folder = try TestFolder(layout)
      let disk = try use(folder)
      try withExtendedLifetime(disk) {
        let files = try #require(FileManager.default.enumerator(atPath: folder.store.path))
        var count = 0
        for case let name as String in files {
          let path = folder.store.appending(path: name).path
          let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
          let isFolder = try FileStatus(of: path)?.isFolder == true
          #expect(mode == (isFolder ? 0o700 : 0o600), "\(name)")
          count += 1
        }
        #expect(count > 2)
      }
    }

    /// No descriptor is inherited by a child process, and none stays open after the store is released.
    @Test(arguments: [DiskLayout.automatic, .packed, .files])
    func noOpenFileIsHandedOnOrLeft(_ layout: DiskLayout) throws {
      let folder = try TestFolder(layout)
      for _ in 0..<3 {
        let disk = try use(folder)
        try withExtendedLifetime(disk) {
          let files = try openFiles(under: folder)
          if layout != .files { #expect(files.count >= 2) }
          for file in files { #expect(file.flags & Int(O_CLOEXEC) != 0, "\(file.path)") }
        }
      }
      #expect(try openFiles(under: folder).map(\.path) == [])
    }

    /// `repair()` does not change files of other programs, wherever they are, and a second repair has nothing left to
    /// do.
    @Test func repairingTwiceIsRepairingOnce() throws {
      let folder = try TestFolder(.automatic)
      let disk = try use(folder)
      let foreign = ["notes", "Values/notes", "0000.log", "control.bak", ".strata-x.tmp"]
      for name in foreign { try text(name).write(to: folder.store.appending(path: name)) }
      let files = FileManager.default
      try files.createSymbolicLink(
        at: folder.store.appending(path: "link"), withDestinationURL: folder.store.appending(path: "notes"))
      let value = try #require(try folder.names(EntryName.values).first { $0 != "notes" })
      try Data().write(to: folder.store.appending(path: "Values/\(value)"))
      try text("?").write(to: folder.store.appending(path: "Values/\(EntryName.value(3))"))

      let found = try disk.verify()
      #expect(found.count { $0.kind == .foreign } == foreign.count + 1)
      #expect(found.count { $0.kind == .damaged } == 1)
      #expect(found.count { $0.kind == .orphaned } == 1)
      #expect(found.allSatisfy { !$0.reason.isEmpty && files.fileExists(atPath: $0.path) })
      #expect(try disk.repair() == found)
      let after = try disk.verify()
      #expect(Set(after.map(\.kind)) == [.foreign])
      let set = try folder.damagedNames()
      #expect(set.count == 2)
      #expect(try disk.repair() == after)
      #expect(try disk.verify() == after)
      #expect(try folder.damagedNames() == set)
      for name in foreign { #expect(try Data(contentsOf: folder.store.appending(path: name)) == text(name)) }
      #expect(try files.destinationOfSymbolicLink(atPath: folder.store.appending(path: "link").path) != "")
      #expect(try disk.keys().count == 99)
      #expect(try disk.totalSize == folder.logBytes() - "Values/notes".utf8.count)
    }
  }
#endif
