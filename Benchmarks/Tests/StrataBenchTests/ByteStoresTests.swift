import Foundation
import Testing

@testable import strata_bench

struct ByteStoresTests {
  @Test func `engines and backends return the stored values`() throws {
    try withTemporaryFolder { folder in
      let stores = try Stores(folder: folder)
      try check(stores.rawSQLite)
      try check(stores.rawLMDB)
      try check(stores.rawRocksDB)
      try check(stores.sqlite)
      try check(stores.lmdb)
      try check(stores.rocksdb)
      try check(stores.disk)
      let files = folder.appending(path: "files")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      try check(BareFiles(folder: files))
      try check(FoundationFiles(folder: folder))
    }
  }

  @Test func `a bare log returns as many bytes as were appended`() throws {
    try withTemporaryFolder { folder in
      let log = try BareLog(folder: folder, size: 10)
      #expect(try log.append(Data(repeating: 1, count: 10), 3) == 3)
      #expect(try log.read([2, 0]) == 20)
      #expect(throws: Failure.self) { try log.read([3]) }
    }
  }

  #if os(Linux)
    /// A file that stays open would falsify the measured times of opening.
    @Test(arguments: DiskPeer.allCases)
    func `a closed shelf has no open files, and can be opened again`(_ peer: DiskPeer) throws {
      try withTemporaryFolder { folder in
        let shelf = try Shelf(peer, count: 10, value: Data(repeating: 1, count: 100), in: folder)
        let draw = Draw(10, of: 10, seed: 1)
        for _ in 0..<2 {
          #expect(try shelf.opened().read(draw, 0) == 1000)
          shelf.close()
          #expect(try openFiles(in: folder) == [])
        }
      }
    }

    private func openFiles(in folder: URL) throws -> [String] {
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      // The descriptor used for the listing is closed by now.
      return descriptors.compactMap { number -> String? in
        var path = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/fd/\(number)", &path, path.count)
        return length > 0
          ? String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
      }.filter { $0.contains(folder.lastPathComponent) }
    }
  #endif

  private func check(_ store: some ByteStore) throws {
    let (one, other) = (Data("one".utf8), Data(repeating: 0, count: 10_000))
    #expect(try store.value(forKey: "a", thread: 0) == nil)
    try store.store(one, forKey: "a", thread: 1)
    #expect(try store.value(forKey: "a", thread: 0) == one)
    try store.store(other, forKey: "a", thread: 0)
    #expect(try store.value(forKey: "a", thread: 1) == other)
    try store.store(["b": one, "c": other], thread: 0)
    #expect(
      try store.values(forKeys: ["a", "b", "c", "d"], thread: 1) == ["a": other, "b": one, "c": other])
    #expect(try store.read(["a", "b", "d"], 0) == 10_003)
    #expect(try store.readBatches([["a", "b"], ["c"]], 0) == 20_003)
    #expect(try store.writeBatches(one, [["a", "b"], ["e"]], 0) == 3)
    #expect(try store.read(["a", "b", "e"], 1) == 9)
  }
}
