#if os(Linux)
  import Foundation
  import Glibc
  import StrataCore
  import StrataTestKit
  import TestSupport
  import Testing

  @testable import StrataDisk

  /// Damage in the layout `.files`, beside other threads, stores and versions of Strata.
  struct FilesCheckTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(.files) }

    /// While the first listing reads all files, a repair does not wait for it with a lock that it needs.
    @Test func aRepairDuringTheFirstListing() throws {
      let store = try fileStore()
      for key in ["a", "b"] { _ = try store.store(entry(key), if: nil) }
      try text("?").write(to: folder.file(of: "b"))
      // As the first listing does.
      let ended = store.isIndexed.withLock { _ in
        let repair = Work { try store.check(repairing: true).count }
        return repair.ends(within: .seconds(20))
      }
      #expect(ended)
      #expect(try store.texts() == ["a"])
    }

    /// A repair removes damaged entries from the index, also those whose keys cannot be read.
    @Test func aRepairAfterTheFirstListing() throws {
      let disk = try folder.open()
      for key in ["a", "b", "c"] { try disk.setObject(text(key), forKey: key, expiry: nil) }
      #expect(try disk.keys().count == 3)
      try text("?").write(to: folder.file(of: "b"))
      let sound = try Data(contentsOf: folder.file(of: "c"))
      try (sound.dropLast() + [sound[sound.count - 1] ^ 1]).write(to: folder.file(of: "c"))
      #expect(try disk.repair().count == 2)
      #expect(try disk.keys() == ["a"])
      #expect(disk.totalSize == (try folder.entryBytes()))
      try disk.setObject(text("b"), forKey: "b", expiry: nil)
      #expect(try Set(disk.keys()) == ["a", "b"])
    }

    /// Another process replaces a damaged file while this one is about to set it aside.
    @Test(arguments: ["repair", "list"]) func aFileThatIsReplacedMeanwhile(_ how: String) throws {
      let disk = try folder.open()
      try disk.setObject(text("v"), forKey: "k", expiry: nil)
      let file = folder.file(of: "k")
      let sound = try Data(contentsOf: file)
      try text("?").write(to: file)
      let other = try folder.open()
      let place = try File(folder.store.path, O_RDONLY)
      try place.lock()
      let work = Work { how == "repair" ? try other.repair().count : try other.keys().count }
      let inode = try place.status().identity[1]
      while !work.hasEnded, try !isAwaited(inode) { sched_yield() }
      try sound.write(to: file, options: .atomic)
      place.unlock()
      #expect(work.ends(within: .seconds(20)))
      #expect(try folder.damagedNames() == [])
      #expect(folder.damage.all == [])
      #expect(try disk.object(forKey: "k") == text("v"))
      #expect(try other.keys() == ["k"])
    }

    /// The value of a damaged entry is moved to `Damaged` with it, even if it is sound, or only it is damaged.
    @Test(arguments: ["head", "value"], [true, false])
    func theValueOfADamagedEntry(_ what: String, _ isRepaired: Bool) async throws {
      let disk = try folder.open()
      let url = try await disk.write(bytes(2_000_000), for: "film")
      if what == "head" {
        try text("?").write(to: folder.file(of: "film"))
      } else {
        try bytes(2_000_000, seed: 2).write(to: url)
      }
      if isRepaired {
        #expect(try disk.repair().map(\.kind) == [.damaged])
      } else {
        #expect(failure { try disk.entryIfPresent(forKey: "film") } == .malformedFileAttributes)
      }
      #expect(try folder.names(EntryName.values) == [])
      #expect(try folder.damagedNames().contains { $0.hasPrefix(url.lastPathComponent) })
      #expect(try disk.verify() == [])
    }

    /// A process was killed before it deleted the file of a removed value, or wrote the entry of a new one.
    @Test func aValueWithoutAnEntry() throws {
      let disk = try folder.open()
      try disk.setObject(text("v"), forKey: "k", expiry: nil)
      let values = folder.store.appending(path: EntryName.values)
      try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
      for entry in ["k", "other"] {
        let name = EntryName.plainValue(7, of: EntryName.of(entry.canonicalUTF8))
        try text("abandoned").write(to: values.appending(path: name))
      }
      try text("foreign").write(to: values.appending(path: "notes"))
      let found = try disk.verify()
      #expect(found.count { $0.kind == .orphaned } == 2)
      #expect(found.count { $0.kind == .foreign } == 1)
      #expect(try disk.repair() == found)
      #expect(try folder.names(EntryName.values) == ["notes"])
      #expect(try disk.object(forKey: "k") == text("v"))
    }

    /// An entry of a newer version of Strata is sound: it is not damage, and not replaced as if it were absent.
    @Test func anEntryOfANewerVersion() async throws {
      let disk = try folder.open()
      try await disk.setObject(text("v"), forKey: "k", expiry: nil)
      var file = Array(try Data(contentsOf: folder.file(of: "k")))
      file[8] = 9
      let seal = UInt32(truncatingIfNeeded: file.withUnsafeBytes { XXH64.hash($0.part(..<12)) })
      withUnsafeBytes(of: seal.littleEndian) { file.replaceSubrange(12..<16, with: $0) }
      try Data(file).write(to: folder.file(of: "k"))
      #expect(try disk.verify() == [])
      #expect(try disk.repair() == [])
      #expect(failure { try disk.setIfAbsent(text("w"), forKey: "k", expiry: nil) } == .newerFormat)
      let staged = try await disk.stage("k", nil, [])
      try await staged.append(bytes(100_000))
      await #expect(throws: StorageError.newerFormat) { try await staged.commit(ifAbsent: true) }
      await staged.discard()
      #expect(try Data(contentsOf: folder.file(of: "k")) == Data(file))
    }

    /// Another store has replaced an entry by one that has not expired, which this one does not know.
    @Test(arguments: [0, 900] as [UInt]) func anExpiredEntryThatWasReplaced(_ limit: UInt) throws {
      let time = ManualClock()
      let disk = try folder.open(maxSize: limit, clock: time.clock)
      let other = try folder.open(clock: time.clock)
      for key in ["replaced", "expired"] {
        try disk.setObject(text("old"), forKey: key, expiry: .seconds(10))
      }
      #expect(try disk.keys().count == 2)
      try other.setObject(text("new"), forKey: "replaced", expiry: .seconds(100))
      time.advance(by: .seconds(11))
      if limit == 0 {
        try disk.removeExpiredObjects()
      } else {
        try disk.setObject(bytes(700), forKey: "large", expiry: nil)
      }
      #expect(try other.objectIfPresent(forKey: "replaced") == text("new"))
      #expect(try disk.entryIfPresent(forKey: "expired") == nil)
      #expect(try disk.keys().contains("replaced"))
      time.advance(by: .seconds(100))
      try disk.removeExpiredObjects()
      #expect(try other.entryIfPresent(forKey: "replaced") == nil)
    }

    private func entry(_ key: String) -> NewEntry { NewEntry(key: key.canonicalUTF8, value: text(key)) }

    private func fileStore() throws -> FileStore {
      FileStore(
        DiskConfig(name: "store", directory: folder.url, layout: .files),
        in: EntryFolder(path: folder.store.path)
      ) { _ in true }
    }

    /// Returns whether a thread waits for the `flock` of a file.
    private func isAwaited(_ inode: UInt64) throws -> Bool {
      try String(contentsOf: URL(filePath: "/proc/locks"), encoding: .utf8).split(separator: "\n").contains {
        $0.contains("-> FLOCK") && $0.contains(":\(inode) ")
      }
    }
  }

  /// Work on a thread of its own.
  private final class Work: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let isOver = Locked(false)

    init(_ body: @escaping @Sendable () throws -> Int) {
      Thread.detachNewThread { [self] in
        do { _ = try body() } catch { Issue.record(error) }
        isOver.withLock { $0 = true }
        end.signal()
      }
    }

    var hasEnded: Bool { isOver.withLock { $0 } }

    func ends(within time: DispatchTimeInterval) -> Bool { end.wait(timeout: .now() + time) == .success }
  }
#endif
