#if os(Linux)
  import FoundationEssentials
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataDisk

  @Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
  struct DiskFullTests {
    @Test func aFullDiskIsAnErrorAndNothingIsLost() throws {
      let disk = try SmallFileSystem()
      let folder = try TestFolder(in: disk.url)
      let storage = try folder.open()
      try storage.setObject(bytes(20_000, seed: 1), forKey: "k", expiry: nil)
      let error = failure { try storage.setObject(bytes(50_000, seed: 2), forKey: "k", expiry: nil) }
      #expect(error == .backendFailed)
      #expect(error?.message.contains("No space left on device") == true)
      #expect(error?.place?.hasPrefix(storage.path) == true)
      #expect(try storage.object(forKey: "k") == bytes(20_000, seed: 1))
      #expect(try folder.names() == [folder.file(of: "k").lastPathComponent])
      try storage.setObject(bytes(20_000, seed: 3), forKey: "k", expiry: nil)
      #expect(try storage.object(forKey: "k") == bytes(20_000, seed: 3))
    }

    @Test func aDiskThatBecomesReadOnlyCanBeRead() throws {
      let disk = try SmallFileSystem()
      let folder = try TestFolder(in: disk.url)
      let storage = try folder.open(maxSize: 1000)
      try storage.setObject(text("v"), forKey: "k", expiry: nil)
      try text("no entry").write(to: folder.file(of: "bad"))
      try disk.setReadOnly(true)
      #expect(try storage.object(forKey: "k") == text("v"))
      // A newly opened store would record the read in the file's date if it could write.
      #expect(try folder.open(maxSize: 1000).object(forKey: "k") == text("v"))
      let errors = [
        failure { try storage.setObject(text("w"), forKey: "k", expiry: nil) },
        failure { try storage.removeObject(forKey: "k") }, failure { try storage.removeAll() },
      ]
      for error in errors {
        #expect(error == .backendFailed)
        #expect(error?.message.contains("Read-only file system") == true)
      }
      // The file cannot be moved to `Damaged`, so every read reports it; none returns a value or a miss.
      for _ in 0..<2 {
        let error = failure { try storage.entryIfPresent(forKey: "bad") }
        #expect(error == .malformedFileAttributes)
        #expect(error?.cause is SystemError)
      }
      try disk.setReadOnly(false)
      #expect(try storage.object(forKey: "k") == text("v"))
      #expect(try storage.keys() == ["k"])
    }
  }
#endif
