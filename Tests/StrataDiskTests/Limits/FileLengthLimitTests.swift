#if os(Linux)
  import Foundation
  import Glibc
  import StrataCore
  import Synchronization
  import Testing

  @testable import StrataDisk

  private let signals = Atomic(0)

  /// The system's limit on the length of files. A signal, which would kill the process, is counted instead.
  @Suite(.serialized)
  struct FileLengthLimitTests {
    private static let limit = 300_000

    private func limited<R>(to bytes: Int = limit, _ body: () throws -> R) throws -> R {
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var former = rlimit()
      try call("getrlimit", getrlimit(resource, &former))
      signal(SIGXFSZ) { _ in signals.add(1, ordering: .relaxed) }
      var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: former.rlim_max)
      try call("setrlimit", setrlimit(resource, &limit))
      defer {
        setrlimit(resource, &former)
        signal(SIGXFSZ, SIG_DFL)
      }
      return try body()
    }

    private func batch(_ number: Int, _ size: Int) -> [Int: Data] {
      var batch: [Int: Data] = [:]
      for i in 0..<10 { batch[number % 50 * 10 + i] = bytes(size, seed: 10 * number + i) }
      return batch
    }

    /// Writes batches, and returns the values, and how many batches were refused.
    private func write(_ disk: DiskStorage<Int>, _ size: Int) -> (values: [Int: Data], refused: [any Error]) {
      var values: [Int: Data] = [:]
      var refused: [any Error] = []
      for number in 0..<800 {
        let batch = batch(number, size)
        do {
          try disk.setObjects(batch, expiry: nil)
          values.merge(batch) { $1 }
        } catch { refused.append(error) }
      }
      return (values, refused)
    }

    private func expect(_ values: [Int: Data], in folder: TestFolder) throws {
      let disk = try folder.open(Int.self)
      #expect(try disk.keys().count == values.count)
      for (key, value) in values { #expect(try disk.objectIfPresent(forKey: key) == value) }
      #expect(try disk.verify() == [])
      #expect(try disk.totalSize == folder.logBytes())
      #expect(folder.damage.all == [])
    }

    @Test(arguments: [DiskLayout.automatic, .packed], [(10, 0), (3000, 0), (3000, 3_000_000), (9000, 0)])
    func segmentsKeepWithinTheLimit(_ layout: DiskLayout, sizes: (value: Int, maxSize: UInt)) throws {
      let folder = try TestFolder(layout)
      let before = signals.load(ordering: .relaxed)
      let (values, refused) = try limited {
        let disk = try folder.open(Int.self, maxSize: sizes.maxSize)
        let result = write(disk, sizes.value)
        try disk.compact()
        return result
      }
      #expect(refused.count == 0, "\(refused.first.map { "\($0)" } ?? "")")
      #expect(signals.load(ordering: .relaxed) == before)
      for segment in try folder.segments() {
        #expect(try FileStatus(of: segment.path)?.size ?? 0 <= Self.limit)
      }
      try expect(values, in: folder)
    }

    /// A batch that is longer than a segment may be; and a value that no file can hold.
    @Test(arguments: [DiskLayout.automatic, .packed]) func longBatches(_ layout: DiskLayout) throws {
      let folder = try TestFolder(layout)
      let before = signals.load(ordering: .relaxed)
      var values: [Int: Data] = [:]
      for key in 0..<100 { values[key] = bytes(5000, seed: key) }
      values[100] = bytes(250_000, seed: 100)
      try limited {
        let disk = try folder.open(Int.self)
        try disk.setObjects(values, expiry: nil)
        #expect(signals.load(ordering: .relaxed) == before)
        // What no file can hold is refused, with the system's signal.
        #expect(failure { try disk.setObject(bytes(400_000), forKey: 0, expiry: nil) } == .backendFailed)
        let many = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, bytes(3000)) })
        #expect(failure { try disk.setObjects(many, expiry: nil) } == .backendFailed)
      }
      try expect(values, in: folder)
    }

    /// The limit is set, and lifted, while the store is open.
    @Test func whileTheStoreIsOpen() throws {
      let folder = try TestFolder(.automatic)
      let disk = try folder.open(Int.self)
      for key in 0..<100 { try disk.setObject(bytes(100, seed: key), forKey: 1000 + key, expiry: nil) }
      let before = signals.load(ordering: .relaxed)
      let (values, refused) = try limited { write(disk, 500) }
      #expect(refused.count == 0)
      #expect(signals.load(ordering: .relaxed) == before)
      try disk.setObject(bytes(400_000), forKey: 0, expiry: nil)
      try disk.removeObjects(forKeys: Array(1000..<1100))
      try expect(values.merging([0: bytes(400_000)]) { $1 }, in: folder)
    }
  }
#endif
