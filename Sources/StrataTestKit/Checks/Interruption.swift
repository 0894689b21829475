import Dispatch
import StrataCore
import Synchronization

/// A call by another task in the middle of a store's operation: in the closure of an update, or where the store reads
/// its clock.
///
/// Each side has a thread outside of the cooperative pool. The operation is blocked until the other call has returned,
/// or for `patience` from the beginning of that call: a correct store may let it wait for the operation.
final class Interruption: Sendable {
  /// Threads outside of the cooperative pool, which the system suspends at any moment.
  static let executor = PoolExecutor(pool: BlockingPool())
  private static let patience = DispatchTimeInterval.milliseconds(50)

  private let left: Atomic<Int>
  private let (start, beginning, end) = (
    DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
  )

  /// Creates an interruption at one of the calls of `pass`, counted from 1.
  init(at call: Int = 1) { left = Atomic(call) }

  /// Lets the other call run, if this is the chosen call of `pass`.
  func pass() {
    guard left.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 else { return }
    start.signal()
    guard beginning.wait(timeout: .now() + 10) == .success else { return }
    _ = end.wait(timeout: .now() + Self.patience)
  }

  /// Runs the operation, and the other call during it; after it if the operation never comes to the chosen call.
  func run(
    _ operation: @escaping @Sendable () async throws -> Void,
    other: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: Self.executor) { [self] in
        awaitStart()
        defer { end.signal() }
        try await other()
      }
      group.addTask(executorPreference: Self.executor) { [self] in
        defer { start.signal() }
        try await operation()
      }
      try await group.waitForAll()
    }
  }

  private func awaitStart() {
    start.wait()
    beginning.signal()
  }
}

extension Trial {
  /// Runs an operation on a store at another location, and another call during one of the operation's readings of the
  /// clock.
  func interrupt(
    atReading call: Int, prepare: (Store) async throws -> Void,
    operation: @escaping @Sendable (Store) async throws -> Void,
    other: @escaping @Sendable (Store) async throws -> Void, check: (Store) async throws -> Void = { _ in }
  ) async throws {
    let (interruption, isRunning) = (Interruption(at: call), Shared(false))
    let clock = StorageClock {
      if isRunning.value { interruption.pass() }
      return time.date
    }
    // Some stores can be open only once at each location.
    let elsewhere = try Trial(of: promise, on: subject)
    defer { elsewhere.cleanUp() }
    let store = try await subject.open(Place(url: elsewhere.folder, clock: clock, expiry: .never))
    try await prepare(store)
    try await interruption.run {
      isRunning.change { $0 = true }
      defer { isRunning.change { $0 = false } }
      try await operation(store)
    } other: {
      try await other(store)
    }
    try await check(store)
  }
}
