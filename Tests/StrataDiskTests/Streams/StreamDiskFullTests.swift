#if os(Linux)
  import Foundation
  import StrataCore
  import TestSupport
  import Testing

  @testable import StrataDisk

  @Suite(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
  struct StreamDiskFullTests {
    /// A stream that does not fit on the disk is an error that says so; the old value stays, and the space is free
    /// again.
    @Test(arguments: DiskStreamTests.layouts)
    func aFullDisk(_ layout: DiskLayout) async throws {
      let disk = try SmallFileSystem(size: "8m")
      let folder = try TestFolder(layout, in: disk.url)
      let storage = try folder.open()
      try await storage.write(forKey: "film", from: PartSequence(bytes(2_500_000), by: 1 << 20))
      for _ in 0..<3 {
        do {
          try await storage.write(forKey: "film", from: Repeated(bytes(1 << 20), 100))
          Issue.record("it was stored")
        } catch let error as StorageError {
          #expect(error == .backendFailed)
          #expect(error.message.contains("No space left on device"))
          #expect(error.key as? String == "film")
        }
        #expect(try await storage.object(forKey: "film") == bytes(2_500_000))
        #expect(try folder.names().filter(EntryName.isTemporary) == [])
      }
      try await storage.write(forKey: "film", from: PartSequence(bytes(4_000_000), by: 1 << 20))
      #expect(try await storage.object(forKey: "film") == bytes(4_000_000))
      #expect(try storage.verify() == [])
    }
  }
#endif
