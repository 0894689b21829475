#if os(Linux)
  import CLMDB
  import Foundation
  import Glibc
  import StrataCore
  import StrataTestKit
  import Synchronization
  import TestSupport
  import Testing

  @testable import StrataLMDB

  /// Reads that begin while another thread commits.
  ///
  /// LMDB begins a read with the number of the last commit, from `lock.mdb`, and then copies the root of that commit
  /// from `data.mdb`. A test suspends a reader between these two steps: it makes the page of the roots unreadable, and
  /// lets the handler of the signal wait.
  @Suite("Snapshots", .endsInTime) struct LMDBSnapshotTests {
    @Test(
      "a reader that was suspended does not see a commit before it has ended", .disabled(if: Sanitizer.isOn))
    func suspendedReader() async throws {
      let store = try LMDBFolder().open()
      let last = try LastCommit(of: store) { try store.setObject(text("\($0)"), forKey: "key") }
      let generation = last.generation
      let roots = try mapping(of: "data.mdb", in: store)
      // The pages must still be mapped.
      defer { withExtendedLifetime(store) { Suspension.end(roots) } }
      Suspension.begin(roots)
      let reads = Task {
        try await onThread {
          try (0..<2).map { _ in String(decoding: try store.object(forKey: "key"), as: UTF8.self) }
        }
      }
      await until { Suspension.hasBegun }
      try await store.setObject(text("\(generation + 1)"), forKey: "key")
      let ended = last.number
      try await store.setObject(text("\(generation + 2)"), forKey: "key")
      // As if the second commit had written its root, and still waited for the disk.
      last.number = ended
      Suspension.end(roots)
      let values = try await reads.value
      #expect(values == ["\(generation + 1)", "\(generation + 1)"])
      last.number = ended + 1
      #expect(try await store.object(forKey: "key") == text("\(generation + 2)"))
    }

    @Test("a read ends although the file has later commits than `lock.mdb`")
    func lockFileOfAnotherState() async throws {
      let store = try LMDBFolder().open()
      let last = try LastCommit(of: store) { try store.setObject(text("\($0)"), forKey: "key") }
      last.number -= 2
      #expect(try await store.object(forKey: "key") == text("\(last.generation)"))
    }
  }

  /// The number of the last commit in `lock.mdb`, with which reads begin.
  private struct LastCommit {
    private let place: UnsafeMutablePointer<UInt>
    /// The argument of the last call of `write`.
    let generation: Int

    /// Finds the only word of the file that each call of `write` increments.
    init(of store: LMDBStorage<String>, _ write: (Int) throws -> Void) throws {
      let words = try mapping(of: "lock.mdb", in: store).assumingMemoryBound(to: UInt.self)
      generation = 5
      let seen = try (0...generation).map { generation in
        try write(generation)
        return (0..<16).map { words[$0] }
      }
      let found = (0..<16).filter { index in
        seen.indices.allSatisfy { seen[$0][index] == seen[0][index] &+ UInt($0) }
      }
      try #require(found.count == 1)
      place = words + found[0]
    }

    var number: UInt {
      get { place.pointee }
      nonmutating set { place.pointee = newValue }
    }
  }

  /// Returns the address at which this process has mapped a file of a store.
  private func mapping(of file: String, in store: LMDBStorage<String>) throws -> UnsafeMutableRawPointer {
    // Foundation reads only the beginning of this file, whose size is unknown.
    let lines = try #require(fopen("/proc/self/maps", "r"))
    defer { fclose(lines) }
    var buffer = [CChar](repeating: 0, count: 8192)
    while fgets(&buffer, CInt(buffer.count), lines) != nil {
      let line = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      guard String(decoding: line, as: UTF8.self).hasSuffix("\(store.path)/\(file)\n") else { continue }
      let start = String(decoding: line.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
      return try #require(UInt(start, radix: 16).flatMap { UnsafeMutableRawPointer(bitPattern: $0) })
    }
    throw POSIXError(.ENOENT)
  }

  /// The suspension of the next thread that reads the roots, in its handler of `SIGSEGV`.
  private enum Suspension {
    private static let address = Atomic<UInt>(0)
    private static let isOver = Atomic(false)
    private static let state = Atomic(false)
    /// The bytes of the pages that hold the two roots.
    private static let size = 2 * Int(getpagesize())

    /// Whether a thread is suspended, or was.
    static var hasBegun: Bool { state.load(ordering: .sequentiallyConsistent) }

    static func begin(_ roots: UnsafeMutableRawPointer) {
      isOver.store(false, ordering: .sequentiallyConsistent)
      state.store(false, ordering: .sequentiallyConsistent)
      address.store(UInt(bitPattern: roots), ordering: .sequentiallyConsistent)
      var action = sigaction()
      // A second signal ends the process.
      action.sa_flags = CInt(bitPattern: UInt32(SA_RESETHAND))
      action.__sigaction_handler.sa_handler = { _ in Suspension.wait() }
      sigaction(SIGSEGV, &action, nil)
      mprotect(roots, size, PROT_NONE)
    }

    /// Lets the thread continue.
    static func end(_ roots: UnsafeMutableRawPointer) {
      mprotect(roots, size, PROT_READ)
      isOver.store(true, ordering: .sequentiallyConsistent)
      signal(SIGSEGV, SIG_DFL)
    }

    /// Blocks the thread until `end(_:)` is called, without functions that a signal handler must not call.
    private static func wait() {
      mprotect(
        UnsafeMutableRawPointer(bitPattern: address.load(ordering: .sequentiallyConsistent)), size, PROT_READ)
      state.store(true, ordering: .sequentiallyConsistent)
      while !isOver.load(ordering: .sequentiallyConsistent) { sched_yield() }
    }
  }
#endif
