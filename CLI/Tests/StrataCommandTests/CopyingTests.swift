import Foundation
import StrataCore
import Synchronization
import Testing

@testable import CommandTable
@testable import StrataCommand

/// Tests the steps of a copy with stores in memory that report the calls they get.
@Suite struct CopyingTests {
  @Test(.timeLimit(.minutes(1))) func readsAndChecksOverlapWithWrites() async throws {
    let keys = (10_000..<13_000).map(String.init)
    let calls = Calls()
    let source = ReportingStore(keys.map { ($0, Data($0.utf8)) }) { calls.add("read \($0[0])") }
    let target = ReportingStore([]) {
      calls.add("check \($0[0])")
    } write: { key in
      // The write of a batch ends only after the next batch was read and the previous one checked.
      if key < "12000" { try await calls.wait(for: "read \(Int(key, radix: 10).map { $0 + 1000 } ?? 0)") }
      if key > "10000" { try await calls.wait(for: "check \(Int(key, radix: 10).map { $0 - 1000 } ?? 0)") }
    }
    var copying = Copying(context: try context(), to: try opened(target), isDry: false)
    try await copying.run(opened(source))
    #expect(copying.result["copied"] == .integer(3000))
    #expect(try await target.keys().sorted() == keys)
    // No write follows the last batch, so its check runs alone.
    #expect(calls.has("check 12000"))
  }

  /// - Parameter path: The path of the target; `nil` for a server.
  @Test(arguments: [nil, "/"]) func eachEntryIsReadOnceFromEachStore(path: String?) async throws {
    let (read, readBack) = (Batches(), Batches())
    let source = ReportingStore((0..<3000).map { (String($0), Data([1])) }) { read.add($0.count) }
    let target = ReportingStore([]) { readBack.add($0.count) }
    let to = try opened(target, path: path)
    var copying = Copying(context: try context(), to: to, isDry: false)
    try await copying.run(opened(source))
    #expect(read.sum == 3000 && readBack.sum == 3000)
    // A server gets few large reads; files are read in small batches.
    #expect(path == nil ? readBack.count == 3 : readBack.largest <= 64, "\(readBack.count) reads")
    // A second copy compares the entries first, so none has to be written or checked.
    var again = Copying(context: try context(), to: to, isDry: false)
    try await again.run(opened(source))
    #expect(again.result["same"] == .integer(3000))
    #expect(read.sum == 6000 && readBack.sum == 6000)
    let unread = ReportingStore([]) { _ in Issue.record("--no-check reads the target") }
    var unchecked = Copying(context: try context("--no-check"), to: try opened(unread), isDry: false)
    try await unchecked.run(opened(source))
    #expect(try await unread.keys().count == 3000)
  }

  @Test func anEntryThatIsMissingAfterwardsIsAFailure() async throws {
    let source = ReportingStore((0..<3000).map { (String($0), Data([1])) })
    let target = ReportingStore([], loses: "2999")
    var copying = Copying(context: try context(), to: try opened(target), isDry: false)
    let failure = await #expect(throws: Failure.self) { try await copying.run(opened(source)) }
    #expect(failure?.name == "notStored" && failure?.key == "2999")
    var unchecked = Copying(context: try context("--no-check"), to: try opened(target), isDry: false)
    try await unchecked.run(opened(source))
  }

  /// Keys in the order of hashes are written in few large batches, since each batch changes all pages of the file.
  @Test(arguments: [(10, 1), (2000, 3)]) func batchesForSQLiteAreLargeAndSorted(size: Int, count: Int)
    async throws
  {
    let writes = Batches()
    let readBack = Mutex<[String]>([])
    let source = ReportingStore((0..<20_000).map { (String($0 &* 7919 % 20_011), Data(count: size)) })
    let target = ReportingStore([]) { keys in
      readBack.withLock { $0 += keys }
    } write: { _ in
      writes.add(1)
    }
    try await inFolder { strata in
      let sqlite = try Backends.open(
        "sqlite:\(strata.place.path)/a.db",
        OpenRequest(
          access: .create, secrets: Secrets(keyFile: nil, passwordFile: nil, environment: [:], mayAsk: false))
      )
      var to = try opened(target, path: "/")
      (to.batch, to.batchBytes) = (sqlite.batch, sqlite.batchBytes)
      var copying = Copying(context: try context(), to: to, isDry: false)
      try await copying.run(opened(source))
      #expect(copying.result["copied"] == .integer(20_000))
    }
    #expect(writes.count == count)
    let keys = readBack.withLock { $0 }
    #expect(keys.count == 20_000 && zip(keys, keys.dropFirst()).count { $0 > $1 } == count - 1)
  }

  @Test func largeValuesAfterSmallOnesMakePagesSmaller() async throws {
    let (small, large) = (Data(count: 10), Data(count: 1 << 20))
    let store = ReportingStore((0..<2000).map { (String($0), $0 < 1900 ? small : large) })
    var pages = Pages(of: try opened(store, path: "/"))
    var (count, sizes) = (0, [Int]())
    while let page = try await pages.next() {
      count += page.count
      sizes.append(page.byteCount)
    }
    #expect(count == 2000)
    // The first read with large values may exceed the size of a page: the values before it were small.
    #expect(sizes.max().map { $0 < 70 << 20 } == true, "\(sizes)")
    #expect(sizes.count { $0 > 9 << 20 } <= 1, "\(sizes)")
  }

  private func context(_ options: String...) throws -> Context {
    guard case .run(let invocation) = try Verb.table.parse(["copy", "disk:a", "disk:b"] + options) else {
      throw Failure.usage("it asks for help")
    }
    return try Context(invocation, environment: [:])
  }

  private func opened(_ store: ReportingStore, path: String? = nil) throws -> OpenStore {
    OpenStore(url: try StoreURL("disk:a"), kind: "test", storage: store, path: path)
  }
}

/// The sizes of the batches that were requested from a store.
private final class Batches: Sendable {
  private let sizes = Mutex<[Int]>([])

  var count: Int { sizes.withLock { $0.count } }
  var sum: Int { sizes.withLock { $0.reduce(0, +) } }
  var largest: Int { sizes.withLock { $0.max() ?? 0 } }

  func add(_ size: Int) { sizes.withLock { $0.append(size) } }
}

/// The calls that stores have reported.
private final class Calls: Sendable {
  private let seen = Mutex<Set<String>>([])

  func add(_ call: String) { seen.withLock { seen in _ = seen.insert(call) } }
  func has(_ call: String) -> Bool { seen.withLock { $0.contains(call) } }

  /// Waits until a call was made. If the call is never made, the test fails at its time limit.
  func wait(for call: String) async throws {
    while !has(call) { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// A store in memory that reports the keys of each read, and the smallest key of each write.
private final class ReportingStore: SimpleStorage {
  private let order: Mutex<[String]>
  private let stored: Mutex<[String: Entry<Data>]>
  private let lost: String?
  private let read: @Sendable ([String]) -> Void
  private let write: @Sendable (String) async throws -> Void

  /// - Parameter lost: A key whose entries are not stored, without an error.
  init(
    _ values: [(String, Data)], loses lost: String? = nil,
    read: @escaping @Sendable ([String]) -> Void = { _ in },
    write: @escaping @Sendable (String) async throws -> Void = { _ in }
  ) {
    order = Mutex(values.map(\.0))
    stored = Mutex(Dictionary(uniqueKeysWithValues: values.map { ($0, Entry(object: $1)) }))
    self.lost = lost
    self.read = read
    self.write = write
  }

  func keys() -> [String] { order.withLock { $0 } }

  func entries(forKeys keys: [String]) -> [String: Entry<Data>] {
    if !keys.isEmpty { read(keys) }
    return stored.withLock { stored in
      Dictionary(uniqueKeysWithValues: keys.compactMap { key in stored[key].map { (key, $0) } })
    }
  }

  func setEntries(_ entries: [String: Entry<Data>]) async throws {
    if let first = entries.keys.min() { try await write(first) }
    let new = entries.filter { $0.key != lost }
    stored.withLock { $0.merge(new) { $1 } }
    order.withLock { $0 += new.keys }
  }

  func entryIfPresent(forKey key: String) -> Entry<Data>? { entries(forKeys: [key])[key] }
  func setObject(_ object: Data, forKey key: String, expiry: Expiry?) throws { throw StorageError.readOnly }
  func removeObject(forKey key: String) throws { throw StorageError.readOnly }
  func removeAll() throws { throw StorageError.readOnly }
  func removeExpiredObjects() {}
}
