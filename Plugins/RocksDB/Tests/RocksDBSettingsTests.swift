import CRocksDB
import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataRocksDB

/// Observable effects of the configuration and of the engine.
struct RocksDBSettingsTests {
  let folder = TestFolder()

  /// The bytes on disk of a family of text that can be compressed.
  private func size(_ compression: RocksDBConfig.Compression, _ family: String) throws -> Int {
    let store = try folder.open {
      $0.family = family
      $0.compression = compression
    }
    for i in 0..<200 {
      try store.setObject(text(String(repeating: "reading \(i); ", count: 100)), forKey: "\(i)", expiry: nil)
    }
    try store.engine.family.flush()
    #expect(try store.object(forKey: "7") == text(String(repeating: "reading 7; ", count: 100)))
    return store.statistics.fileBytes
  }

  @Test(arguments: RocksDBConfig.Compression.allCases)
  func compressionIsAsChosen(_ compression: RocksDBConfig.Compression) throws {
    let size = try size(compression, "entries")
    #expect(compression == .none ? size > 200_000 : size < 50_000, "\(size)")
    try #expect(options().contains("compression=\(compression.name)"))
  }

  /// The change also applies to a family that another store of the folder already has open.
  @Test func compressionCanBeChangedLater() throws {
    _ = try folder.open {
      $0.family = "other"
      $0.compression = .none
    }
    let first = try folder.open { $0.family = "first" }
    try #expect(size(.zstd, "other") < 50_000)
    withExtendedLifetime(first) {}
  }

  private func options() throws -> String {
    let name = try #require(try folder.names().last { $0.hasPrefix("OPTIONS") })
    return try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test func theLargestBlockCacheSizeApplies() throws {
    let small = try folder.open { $0.blockCacheSize = 0 }
    for i in 0..<300 { try small.setObject(bytes(10_000, seed: UInt64(i)), forKey: "\(i)", expiry: nil) }
    try small.engine.family.flush()
    func read() throws { for i in 0..<300 { _ = try small.object(forKey: "\(i)") } }
    try read()
    let before = small.statistics
    #expect(before.blockCacheBytes < 100_000)
    let large = try folder.open { $0.blockCacheSize = 16 << 20 }
    try read()
    try read()
    let after = small.statistics
    #expect(after.blockCacheBytes > 2_000_000)
    #expect(after.blockCacheHits - before.blockCacheHits >= 300)
    #expect(after.blockCacheMisses - before.blockCacheMisses >= 300)
    withExtendedLifetime(large) {}
  }

  @Test func statisticsCountReadsAndWrites() throws {
    let store = try folder.open { $0.compression = .none }
    for i in 0..<100 {
      try store.setObject(bytes(1000), forKey: "\(i)", expiry: i < 50 ? .seconds(60) : .never)
    }
    let written = store.statistics
    #expect(written.estimatedRecords == 150)
    #expect(written.memoryTableBytes > 100_000)
    #expect(written.fileBytes == 0)
    #expect(written.bytesWritten > 100_000)
    #expect(written.bytesRead == 0)
    for i in 0..<100 { _ = try store.object(forKey: "\(i)") }
    try store.engine.family.flush()
    let read = store.statistics
    #expect((100_000...102_000).contains(read.bytesRead))
    #expect(read.fileBytes > 100_000)
    #expect(read.levels.first == RocksDBStatistics.Level(files: 1, bytes: read.fileBytes))
    #expect(read.levels.count == 7)
    #expect(read.estimatedLiveBytes > 100_000)
    #expect(read.backgroundErrors == 0)
  }

  @Test func removingAllFreesTheDisk() throws {
    let store = try folder.open { $0.compression = .none }
    for i in 0..<2000 {
      try store.setObject(bytes(5000, seed: UInt64(i)), forKey: "\(i)", expiry: .seconds(60))
    }
    try store.engine.family.flush()
    #expect(store.statistics.fileBytes > 10_000_000)
    try store.removeAll()
    #expect(try store.keys() == [])
    try store.setObject(text("v"), forKey: "k", expiry: .never)
    #expect(store.statistics.fileBytes < 100_000)
    #expect(try store.keys() == ["k"])
  }

  @Test func rocksDBsMessageLogStaysEmpty() throws {
    for _ in 0..<8 { try folder.open().setObject(text("v"), forKey: "k", expiry: nil) }
    let diaries = try folder.names().filter { $0.hasPrefix("LOG") }
    #expect(diaries.count <= 2)
    for name in diaries {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      #expect(attributes[.size] as? Int == 0)
    }
  }

  #if os(Linux)
    @Test func descriptorsAreClosedOnExecAndOnRelease() throws {
      func descriptors() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { descriptor in
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(descriptor)")
          return target?.hasPrefix(folder.path) == true
        }
      }
      do {
        let store = try folder.open()
        try store.setObject(bytes(1000), forKey: "k", expiry: nil)
        try store.engine.family.flush()
        _ = try store.object(forKey: "k")
        let open = try descriptors()
        #expect(open.count >= 3)
        for descriptor in open {
          #expect(fcntl(CInt(descriptor) ?? -1, F_GETFD) & FD_CLOEXEC != 0)
        }
        withExtendedLifetime(store) {}
      }
      #expect(try descriptors().isEmpty)
    }
  #endif

  @Test(arguments: RocksDBConfig.Durability.allCases)
  func durabilityIsAsChosen(_ durability: RocksDBConfig.Durability) throws {
    let store = try folder.open { $0.durability = durability }
    let before = (logged: store.count("wal.bytes"), synced: store.count("wal.synced"))
    try store.setObject(bytes(1000), forKey: "k", expiry: nil)
    try store.setObjects(["l": bytes(1000)], expiry: nil)
    #expect((store.count("wal.bytes") - before.logged > 2000) == (durability != .off))
    #expect((store.count("wal.synced") - before.synced == 2) == (durability == .full))
    let synced = store.count("wal.synced")
    try store.flush()
    #expect((store.count("wal.synced") > synced) == (durability != .off))
    #expect((store.statistics.fileBytes > 0) == (durability == .off))
  }
}

extension EngineStorage where Engine == RocksDBEngine {
  /// Returns one of RocksDB's counters.
  fileprivate func count(_ name: String) -> Int {
    RocksDBStatistics.parse(engine.counters)["rocksdb.\(name)"] ?? 0
  }
}
