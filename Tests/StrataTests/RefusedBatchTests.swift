import Foundation
import Strata
import TestSupport
import Testing

/// A batch for a disk of limited size, of which one value is larger than the disk may be.
@Suite("A batch with a value that is too large") struct RefusedBatchTests {
  private let batch: [String: Data] = {
    var batch = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", Data(count: 100)) })
    batch["large"] = Data(count: 200_000)
    return batch
  }()

  @Test("is refused as a whole, with and without await") func whole() async throws {
    let folder = TemporaryFolder()
    let disk = try DiskStorage<String>(
      config: DiskConfig(name: "users", maxSize: 100_000, directory: folder.url))
    await #expect(throws: StorageError.tooLarge) { try await disk.setObjects(batch, expiry: nil) }
    await #expect(try disk.keys() == [])
    #expect(throws: StorageError.tooLarge) { try blocking { try disk.setObjects(batch, expiry: nil) } }
    await #expect(try disk.keys() == [])
    let storage = Storage(back: disk, transformer: .data)
    await #expect(throws: StorageError.tooLarge) { try await storage.setObjects(batch, expiry: nil) }
    #expect(try await storage.keys() == [])
  }
}
