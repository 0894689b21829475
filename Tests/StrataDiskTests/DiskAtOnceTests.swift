import Foundation
import StrataCore
import TestSupport
import Testing

@testable import StrataDisk

/// Writes to a disk store that complete without waiting (`setObjectAtOnce`).
@Suite("Disk writes without waiting", .timeLimit(.minutes(10)))
struct DiskAtOnceTests {
  private func session(of disk: DiskStorage<String>) throws -> LogSession {
    try #require(disk.engine as? LogFolder).using { $0 }
  }

  private func store(_ value: Data, in disk: DiskStorage<String>, _ key: String = "k") throws -> Bool {
    try disk.setObjectAtOnce(value, forKey: key, expiry: nil)
  }

  /// Nearly all small writes complete without waiting. They are read like any others, also by another store and after a
  /// restart.
  @Test(arguments: LogStoreTests.layouts, [0, 1, 100, 4096, 10_000])
  func small(_ layout: DiskLayout, _ count: Int) throws {
    let folder = try TestFolder(layout)
    let time = ManualClock()
    let disk = try folder.open(clock: time.clock)
    try disk.setObject(bytes(count), forKey: "k", expiry: nil)
    let expiry = Expiry.seconds(10).resolved(by: time.clock)
    var stored = 0
    for round in 1...200 {
      let value = bytes(count, seed: round)
      // On a busy machine an append may take long, after which the following ones are declined. The tests of `pace`
      // cover that, and `fewFreeBytes` covers a disk that is nearly full.
      try session(of: disk).writer.withLock { writer in
        writer.pace = AppendPace()
        writer.looksBeforeCheck = 7
      }
      if try disk.setObjectAtOnce(value, forKey: "k", expiry: .seconds(10)) {
        stored += 1
      } else {
        #expect(try disk.object(forKey: "k") != value || count == 0, "a declined write has changed nothing")
        try disk.setObject(value, forKey: "k", expiry: .seconds(10))
      }
      #expect(try disk.entry(forKey: "k") == Entry(object: value, expiry: expiry))
    }
    // The second write is declined, since it checks that the segment belongs to this log, and writes of many bytes are
    // declined when space has to be reclaimed.
    #expect(stored > (count < 4000 ? 197 : 80))
    #expect(try folder.open(clock: time.clock).entry(forKey: "k") == disk.entry(forKey: "k"))
    #expect(try disk.verify() == [])
  }

  @Test func writesThatMayTakeLong() throws {
    let packed = try TestFolder(.packed).open()
    try packed.setObject(text("1"), forKey: "k", expiry: nil)
    #expect(try !store(bytes(20_000), in: packed), "long")
    let files = try TestFolder(.files).open()
    try files.setObject(text("1"), forKey: "k", expiry: nil)
    #expect(try !store(text("2"), in: files), "a file")
    let stable = try TestFolder(.automatic).open(durability: .power)
    try stable.setObject(text("1"), forKey: "k", expiry: nil)
    #expect(try !store(text("2"), in: stable), "waits until it is stable")
    let lazy = DiskStorage.folder("StrataDiskTests-\(UUID().uuidString)", in: .cachesDirectory)
    #expect(try !store(text("1"), in: lazy))
    #expect(!FileManager.default.fileExists(atPath: lazy.path), "not even the folder is made for it")
    for disk in [packed, files, stable] { #expect(try disk.object(forKey: "k") == text("1")) }
  }

  /// A write that replaces a value file is left to an ordinary write, which deletes the file.
  @Test func replacedFile() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    try disk.setObject(bytes(70_000), forKey: "file", expiry: nil)
    try disk.setObject(text("1"), forKey: "k", expiry: nil)
    #expect(try !store(text("2"), in: disk, "file"))
    #expect(try disk.object(forKey: "file") == bytes(70_000))
    #expect(try store(text("2"), in: disk, "k"))
    try disk.setObject(text("2"), forKey: "file", expiry: nil)
    #expect(try folder.names(EntryName.values) == [])
  }

  /// Locks held by another thread or by another store over the folder.
  @Test func locked() throws {
    let folder = try TestFolder(.automatic)
    let (disk, other) = (try folder.open(), try folder.open())
    // The first write creates a segment, and the next one checks that the segment belongs to this log.
    for _ in 0..<2 { try disk.setObject(text("1"), forKey: "k", expiry: nil) }
    let (session, second) = (try session(of: disk), try session(of: other))
    let stored = Shared<[Result<Bool, any Error>]>([])
    try session.change { _ in
      onAnotherThread {
        stored.change { $0 = [disk, other].map { disk in Result { try store(text("2"), in: disk) } } }
      }
    }
    #expect(try stored.value.map { try $0.get() } == [false, false])
    #expect(try disk.object(forKey: "k") == text("1"))
    #expect(try store(text("2"), in: disk))
    // The other store's write has to be read first.
    #expect(try !store(text("3"), in: other))
    #expect(try other.object(forKey: "k") == text("2"))
    _ = try other.setObject(text("4"), forKey: "k", expiry: nil)
    #expect(second.knowsAll)
    #expect(try store(text("5"), in: other))
    #expect(try disk.object(forKey: "k") == text("5"))
  }

  @Test func insideAnUpdate() throws {
    let disk = try TestFolder(.automatic).open()
    try disk.setObject(text("1"), forKey: "k", expiry: nil)
    try disk.update(forKey: "k") { value in
      #expect(failure { try store(text("2"), in: disk) } == .deadlock)
      value = text("3")
    }
    #expect(try disk.object(forKey: "k") == text("3"))
  }

  /// At the latest after 31 writes to a folder that was moved, one is declined. The ordinary write that follows makes
  /// the folder again.
  @Test func movedFolder() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open()
    for _ in 0..<2 { try disk.setObject(text("old"), forKey: "k", expiry: nil) }
    let session = try session(of: disk)
    func storeAtOnce(_ value: String) throws -> Bool {
      session.writer.withLock { writer in
        writer.pace = AppendPace()
        writer.looksBeforeCheck = 7
      }
      return try store(text(value), in: disk)
    }
    for round in 1...64 { #expect(try storeAtOnce("old"), "write \(round) to the folder at its path") }
    let moved = folder.url.appendingPathExtension("moved")
    try FileManager.default.moveItem(at: folder.url, to: moved)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: moved) } }
    let misled = try (1...100).prefix { _ in try storeAtOnce("misled") }
    #expect(misled.count < LogWriter.changesBetweenLooks)
    #expect(try !storeAtOnce("misled"), "declined until an ordinary write has opened the log at the path")
    try disk.setObject(text("new"), forKey: "k", expiry: nil)
    #expect(try folder.open().object(forKey: "k") == text("new"))
    for _ in 0..<2 { try disk.setObject(text("new"), forKey: "k", expiry: nil) }
    #expect(try store(text("newer"), in: disk))
    #expect(try folder.open().object(forKey: "k") == text("newer"))
  }

  /// While the disk has little space left, every 32nd write is left to an ordinary one, which asks for the free space.
  @Test func fewFreeBytes() throws {
    let disk = try TestFolder(.automatic).open()
    for _ in 0..<2 { try disk.setObject(text("1"), forKey: "k", expiry: nil) }
    let session = try session(of: disk)
    let declined = try (3...96).filter { _ in
      session.writer.withLock { writer in
        writer.pace = AppendPace()
        writer.looksBeforeCheck = 0
      }
      if try store(text("2"), in: disk) { return false }
      try disk.setObject(text("2"), forKey: "k", expiry: nil)
      return true
    }
    #expect(declined == [32, 64, 96])
  }

  /// The limit holds, and the space of replaced entries is reclaimed.
  @Test func limitAndSpace() throws {
    let folder = try TestFolder(.automatic)
    let disk = try folder.open(maxSize: 1_000_000)
    let unlimited = try TestFolder(.automatic)
    let replaced = try unlimited.open()
    var stored = 0
    for round in 0..<4000 {
      let value = bytes(1000, seed: round)
      if try store(value, in: disk, "\(round)") {
        stored += 1
      } else {
        try disk.setObject(value, forKey: "\(round)", expiry: nil)
      }
      if try !store(value, in: replaced) { try replaced.setObject(value, forKey: "k", expiry: nil) }
      #expect(disk.totalSize <= 1_000_000)
      #expect(try disk.object(forKey: "\(round)") == value)
    }
    #expect(stored > 2000)
    #expect(try unlimited.logBytes() < 2_000_000)
    #expect(try disk.verify() == [])
    #expect(try replaced.verify() == [])
  }

  /// Threads of two stores over a folder write with and without waiting. Each key has its last value in the end.
  @Test func atTheSameTime() async throws {
    let folder = try TestFolder(.automatic)
    let disks = [try folder.open(), try folder.open()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          try await onThread {
            let disk = disks[thread % 2]
            for round in 0..<500 {
              let value = text("\(thread) \(round)")
              if try !store(value, in: disk, "\(thread)") {
                try disk.setObject(value, forKey: "\(thread)", expiry: nil)
              }
              #expect(try disk.object(forKey: "\(thread)") == value)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = (0..<4).map { text("\($0) 499") }
    let found = try await onThread {
      try disks.map { disk in try (0..<4).map { try disk.object(forKey: "\($0)") } }
    }
    #expect(found == [last, last])
    #expect(try await onThread { try disks[0].verify() } == [])
  }

  @Test func pace() {
    var pace = AppendPace()
    #expect((0..<100).allSatisfy { _ in pace.allowsAppend() })
    func appends(after duration: Duration) -> Int {
      pace.note(duration)
      return (0..<2000).count { _ in !pace.allowsAppend() }
    }
    #expect(appends(after: AppendPace.budget) == 0)
    for expected in [16, 32, 64, 128, 256, 512, 1024, 1024] {
      #expect(appends(after: .milliseconds(2)) == expected)
    }
    #expect(appends(after: .microseconds(5)) == 0)
    #expect(appends(after: .seconds(1)) == 16, "as at the beginning")
  }
}
