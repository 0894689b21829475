#if os(Linux)
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  @testable import StrataDisk

  private final class Flag: Sendable {
    private let state = Atomic(false)
    var isUp: Bool { state.load(ordering: .acquiring) }
    func raise() { state.store(true, ordering: .releasing) }
  }

  private final class Counter: Sendable {
    private let state = Atomic(0)
    var count: Int { state.load(ordering: .acquiring) }
    func increase() { state.add(1, ordering: .releasing) }
  }

  /// Two objects that have opened the same control file behave like two processes.
  @Suite(.timeLimit(.minutes(10)))
  struct ControlLockTests {
    private let folder: TestFolder
    private let one: ControlFile
    private let other: ControlFile

    init() throws {
      folder = try TestFolder(.automatic)
      one = try ControlFile(in: EntryFolder(path: folder.url.path))
      other = try ControlFile(in: EntryFolder(path: folder.url.path))
    }

    /// A shared count is incremented by a read and a separate write, so that it is wrong if two threads hold the lock.
    @Test func onlyOneHasIt() async throws {
      let rounds = 20_000
      let (one, other) = (one, other)
      try await withThrowingTaskGroup { group in
        for control in [one, other] {
          group.addTask {
            try await onThread {
              for _ in 0..<rounds {
                try control.lock()
                control.emptied += 1
                control.unlock()
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(one.emptied == 2 * rounds)
      #expect(one.load(.owner) == 0)
    }

    @Test func aLiveOwnerKeepsTheLock() async throws {
      let (one, other) = (one, other)
      let isGivenBack = Flag()
      try one.lock()
      let waiting = Task {
        try await onThread {
          try other.lock()
          defer { other.unlock() }
          return isGivenBack.isUp
        }
      }
      await until { one.load(.waiting) != 0 }
      isGivenBack.raise()
      one.unlock()
      #expect(try await waiting.value)
      // The waiting caller is gone, so that later callers do not let it go first.
      #expect(one.load(.waiting) == 0)
    }

    /// Lock tokens of a closed store, of another machine or boot, and an invalid one do not block other callers.
    @Test(arguments: [1 << 40 + 17, 1, .max] as [UInt64])
    func tokensWithoutAnOwnerBlockNoCaller(_ token: UInt64) throws {
      one.store(token, .owner)
      one.store(token, .waiting)
      try other.lock()
      #expect(one.load(.owner) == other.token)
      other.unlock()
      #expect(one.load(.owner) == 0)
    }

    @Test func closingTheFileReleasesTheLock() throws {
      var dying: ControlFile? = try ControlFile(in: EntryFolder(path: folder.url.path))
      try dying?.lock()
      #expect(one.load(.owner) == dying?.token)
      dying = nil
      try one.lock()
      #expect(other.load(.owner) == one.token)
      one.unlock()
    }

    @Test func onlyTheOwnerCanRelease() throws {
      try other.lock()
      one.unlock()
      #expect(one.load(.owner) == other.token)
      other.unlock()
    }

    /// Many callers notice at the same moment that the lock's owner is dead. Only one may take the lock.
    @Test func onlyOneReplacesADeadOwner() async throws {
      let rounds = 500
      let (one, other) = (one, other)
      for _ in 0..<rounds {
        one.store(1, .owner)
        let arrived = Counter()
        try await withThrowingTaskGroup { group in
          for control in [one, other] {
            group.addTask {
              try await onThread {
                arrived.increase()
                while arrived.count < 2 { sched_yield() }
                try control.lock()
                let count = control.emptied
                sched_yield()
                control.emptied = count + 1
                control.unlock()
              }
            }
          }
          try await group.waitForAll()
        }
      }
      #expect(one.emptied == 2 * rounds)
    }

    /// A caller lets a waiting process take the lock first, but only once if that process has died.
    @Test func aDeadWaiterDelaysOthersOnce() throws {
      one.store(1, .waiting)
      try other.lock()
      #expect(one.load(.waiting) == 0)
      #expect(one.load(.owner) == other.token)
      other.unlock()
    }

    /// A waiting process gets the lock however often another one takes it.
    @Test func aWaitingProcessGetsTheLock() async throws {
      let (one, other) = (one, other)
      let isDone = Flag()
      async let endless: Void = onThread {
        while !isDone.isUp {
          try one.lock()
          one.unlock()
        }
      }
      try await onThread {
        for _ in 0..<1000 {
          try other.lock()
          other.unlock()
        }
      }
      isDone.raise()
      try await endless
    }

    /// A process without write permission waits for a change in progress, but only for a limited time, since its writer
    /// may have died.
    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount a tmpfs"))
    func aReaderWaitsForALimitedTime() throws {
      let disk = try SmallFileSystem()
      let folder = EntryFolder(path: disk.url.path)
      func make() throws {
        let control = try ControlFile(in: folder)
        try control.reset(
          secret: Secret(low: 1, high: 2), tail: LogPosition(segment: 1, offset: 0), oldest: 1, logBytes: 0,
          fileBytes: 0)
        #expect(control.isHalfChanged)
      }
      try make()
      try disk.setReadOnly(true)
      let reader = try ControlFile(in: folder)
      #expect(reader.isReadOnly)
      let start = ContinuousClock.now
      try reader.lock()
      #expect(ContinuousClock.now - start > .milliseconds(100))
      reader.unlock()
    }
  }
#endif
