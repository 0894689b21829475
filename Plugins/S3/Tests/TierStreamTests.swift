import Foundation
import Strata
import TestSupport
import Testing

@testable import StrataS3

/// A chain of memory, a disk and a bucket on a real server: the disk is filled while the first reader reads.
@Suite(.serialized, .endsInTime) struct TierStreamTests {
  @Test(
    "the disk in front of a bucket stores what is read, once for all readers",
    arguments: S3ServerKind.installed)
  func diskFills(_ kind: S3ServerKind) async throws {
    let bucket = try await kind.store("tiers")
    let disk = try DiskStorage<String>(config: DiskConfig(name: "disk", directory: TemporaryFolder().url))
    let store = AsyncStorage(
      front: MemoryStorage<String, TypeWrapper>(), back: disk.combined(with: bucket),
      transformer: .data.zlib(level: 1))
    let value = sampleBytes(kind.partSize + 3_000_000)
    try await store.write(forKey: "film", from: PartSequence(value, by: 700_000))
    #expect(try await bucket.objectExists(forKey: "film"))
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<4 { group.addTask { try await store.read(forKey: "film").data() } }
      for try await data in group { #expect(data == value) }
    }
    #expect(try await disk.objectIfPresent(forKey: "film") == bucket.object(forKey: "film"))
    // The bucket is no longer needed.
    try await bucket.removeObject(forKey: "film")
    #expect(try await store.read(forKey: "film", range: 5..<99).data() == value[5..<99])
    try await store.removeObject(forKey: "film")
    #expect(try await disk.objectIfPresent(forKey: "film") == nil)
    await #expect(throws: StorageError.notFound) { try await store.read(forKey: "film") }
  }

  @Test(
    "a bucket and its copy are filled by one download, and readers of any pace get all of it",
    arguments: S3ServerKind.installed)
  func bucketFills(_ kind: S3ServerKind) async throws {
    let bucket = try await kind.store("pushed")
    let folder = TemporaryFolder()
    let copy = try DiskStorage<String>(config: DiskConfig(name: "copy", directory: folder.url))
    let far = FolderStorage(url: folder.url.appending(path: "far"))
    let value = sampleBytes(2 * kind.partSize + 700_000)
    try await far.write(forKey: "film", from: PartSequence(value, by: 700_000))
    let store = bucket.pushing(to: copy).combined(with: far)
    // The slow readers are passed by the first one, and have to read what S3 does not return yet.
    try await withThrowingTaskGroup(of: Data.self) { group in
      for pauses in 0..<4 {
        group.addTask {
          var data = Data()
          for try await part in try await store.read(forKey: "film") {
            data += part
            for _ in 0..<10 * pauses { await Task.yield() }
          }
          return data
        }
      }
      for try await data in group { #expect(data == value) }
    }
    for tier in [bucket, copy] as [any StorageAware<String, Data>] {
      #expect(try await tier.objectIfPresent(forKey: "film") == value)
    }
  }
}
