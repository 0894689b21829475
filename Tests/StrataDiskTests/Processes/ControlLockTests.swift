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

  /// Two who have opened the same control file: to each other they are as two processes.
  @Suite(.timeLimit(.minutes(5)))
  struct ControlLockTests {
    private let folder: TestFolder
    private let one: ControlFile
    private let other: ControlFile

    init() throws {
      folder = try TestFolder(.automatic)
      one = try ControlFile(in: EntryFolder(path: folder.url.path))
      other = try ControlFile(in: EntryFolder(path: folder.url.path))
    }

    /// The count is kept where both see it, by adding one to what was read before.
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

    @Test func whoeverIsAliveKeepsIt() async throws {
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
      // Whoever comes now need give way to nobody.
      #expect(one.load(.waiting) == 0)
    }

    /// Of one that was closed, of another machine or day, and of no kind at all.
    @Test(arguments: [1 << 40 + 17, 1, .max] as [UInt64])
    func whatNobodyStandsForBlocksNobody(_ token: UInt64) throws {
      one.store(token, .owner)
      one.store(token, .waiting)
      try other.lock()
      #expect(one.load(.owner) == other.token)
      other.unlock()
      #expect(one.load(.owner) == 0)
    }

    @Test func whoClosesItWhileHavingItBlocksNobody() throws {
      var dying: ControlFile? = try ControlFile(in: EntryFolder(path: folder.url.path))
      try dying?.lock()
      #expect(one.load(.owner) == dying?.token)
      dying = nil
      try one.lock()
      #expect(other.load(.owner) == one.token)
      one.unlock()
    }

    /// Who comes gives way to somebody who waits; but somebody who waited and died takes no turn, and is forgotten.
    @Test func whoDiedWaitingIsGivenWayOnce() throws {
      one.store(1, .waiting)
      try other.lock()
      #expect(one.load(.waiting) == 0)
      #expect(one.load(.owner) == other.token)
      other.unlock()
    }

    /// However often another takes it.
    @Test func whoWaitsHasItsTurn() async throws {
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
  }
#endif
