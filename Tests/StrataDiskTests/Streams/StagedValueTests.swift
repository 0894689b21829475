import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StrataCore
@testable import StrataDisk

struct StagedValueTests {
  static let layouts = DiskStreamTests.layouts

  @Test(arguments: layouts)
  func aWriterThatFailsLeavesTheOldValue(_ layout: DiskLayout) async throws {
    struct Torn: Error {}
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    try await disk.write(forKey: "film", from: PartSequence(bytes(3_000_000), by: 1 << 20))
    let names = try folder.names() + folder.names(EntryName.values)
    let torn = AsyncThrowingStream<Data, any Error> { stream in
      for _ in 0..<5 { stream.yield(bytes(1 << 20, seed: 9)) }
      stream.finish(throwing: Torn())
    }
    await #expect(throws: Torn.self) { try await disk.write(forKey: "film", from: torn) }
    let endless = AsyncStream<Data> { bytes(1 << 20, seed: 9) }
    let task = Task { try await disk.write(forKey: "film", from: endless) }
    await until { (try? folder.names().contains(where: EntryName.isTemporary)) == true }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let staged = try await disk.stage("film", nil, [])
    try await staged.append(bytes(2_500_000))
    await staged.discard()
    await #expect(throws: StorageError.backendFailed) { try await staged.commit(ifAbsent: false) }
    #expect(try await disk.object(forKey: "film") == bytes(3_000_000))
    #expect(try folder.names() + folder.names(EntryName.values) == names)
  }

  @Test(arguments: layouts, [1000, 1_500_000])
  func onlyIfAbsent(_ layout: DiskLayout, _ size: Int) async throws {
    let folder = try TestFolder(layout)
    let time = ManualClock()
    let disk = try folder.open(clock: time.clock)
    func write(_ seed: Int) async throws -> Bool {
      let staged = try await disk.stage("film", .seconds(10), [])
      try await staged.append(bytes(size, seed: seed))
      return try await staged.commit(ifAbsent: true)
    }
    #expect(try await write(1))
    #expect(try await !write(2))
    #expect(try await disk.object(forKey: "film") == bytes(size, seed: 1))
    #expect(try folder.names().filter(EntryName.isTemporary) == [])
    time.advance(by: 11)
    #expect(try await write(3))
    #expect(try await disk.object(forKey: "film") == bytes(size, seed: 3))
    #expect(try disk.verify() == [])
  }

  /// Others read any byte at any time, also while the file for the first part is being made.
  @Test func stagedBytesCanBeReadMeanwhile() async throws {
    let sink = SlowSink()
    let staged = StagedValue(in: sink, on: BlockingPool())
    try await staged.append(bytes(PartTable.partLength - 1))
    let rest = Task { try await staged.append(bytes(5)) }
    await until { sink.isAsked.withLock { $0 } }
    #expect(try await staged.bytes(at: 10, count: 20) == bytes(PartTable.partLength - 1)[10..<30])
    sink.mayFail.signal()
    await #expect(throws: SlowSink.NoFile.self) { try await rest.value }
    await #expect(throws: SlowSink.NoFile.self) { try await staged.append(bytes(5)) }
    await staged.discard()
  }

  @Test(arguments: layouts)
  func stagedBytesCanBeRead(_ layout: DiskLayout) async throws {
    let folder = try TestFolder(layout)
    let disk = try folder.open()
    let value = bytes(7_000_000)
    let staged = try await disk.stage("film", nil, [])
    var end = 0
    func check() async throws {
      for start in [0, end / 2, max(0, end - 5), end] {
        var found = Data()
        while start + found.count < end {
          let part = try #require(try await staged.bytes(at: start + found.count, count: 3_000_000))
          if part.isEmpty { break }
          found.append(part)
        }
        #expect(found == value[start..<end])
      }
    }
    for size in [10, 500_000, 2_000_000, 1_048_576, 900_000, 2_551_414] {
      try await staged.append(value[end..<end + size])
      end += size
      try await check()
    }
    try await staged.commit(ifAbsent: false)
    try await check()
    #expect(end == value.count)
  }
}

/// A sink that makes no file, after some time.
private final class SlowSink: StreamSink {
  struct NoFile: Error {}

  let isAsked = Locked(false)
  let mayFail = DispatchSemaphore(value: 0)
  var threshold: Int { 0 }

  func explaining<R>(_ body: () throws -> R) throws -> R { try body() }
  func refuse(length: Int) throws {}

  func makeFile() throws -> NewPartFile {
    isAsked.withLock { $0 = true }
    mayFail.wait()
    throw NoFile()
  }

  func store(_ file: NewPartFile, length: Int, ifAbsent: Bool) throws -> Bool { throw NoFile() }
  func store(_ value: Data, ifAbsent: Bool) throws -> Bool { throw NoFile() }
}
