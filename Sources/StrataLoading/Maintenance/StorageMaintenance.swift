public import StrataCore

/// What stores need while a program runs and when it ends: sweeps of expired entries, the end of work in progress, and
/// closed connections.
///
/// ```swift
/// let maintenance = StorageMaintenance(of: [users, pages], sweepInterval: .seconds(60))
/// try await maintenance.run()   // Until this task is cancelled, or `shutDown()` is called elsewhere.
/// ```
///
/// A server that uses ServiceLifecycle runs a `StorageService` of the product StrataServer instead.
///
/// `shutDown()` does three things, once, whoever calls it and how often:
///
/// 1. It ends the sweeps.
/// 2. It waits at most `shutdownLimit` for loads in flight and pending writes of the stores and of all stores inside
///    them.
/// 3. It closes the connections of all stores inside them, also if waiting failed. Other stores that share a client
///    lose it too.
///
/// Calls are accepted until the connections are closed. Afterwards a store in memory or on a disk of this machine
/// still works, and a call that needs a server throws `.backendFailed`.
public final class StorageMaintenance: Sendable {
  /// Called with the error of a sweep, and with the store's name.
  public typealias FailureHandler = @Sendable (_ error: any Error, _ store: String) -> Void

  private struct State {
    var isStopped = false
    var sweeps: [Task<Void, Never>] = []
    var shutdown: Task<Void, any Error>?
  }

  private struct LimitReached: Error {}

  private let stores: [any StorageDesign]
  private let sweepInterval: Duration?
  private let shutdownLimit: Duration
  private let clock: any Clock<Duration>
  private let onSweepFailure: FailureHandler
  private let state = Locked(State())

  /// Creates the maintenance of stores.
  ///
  /// - Parameters:
  ///   - stores: the stores, usually whole chains: those inside them are found.
  ///   - sweepInterval: how often expired entries are removed from them; `nil` for never. Most stores of servers remove
  ///     them themselves, a table of PostgreSQL does not.
  ///   - shutdownLimit: how long `shutDown()` waits for loads in flight and pending writes.
  ///   - clock: the clock of both times.
  ///   - onSweepFailure: called if a sweep fails. The next one takes place as usual.
  public init(
    of stores: [any StorageDesign], sweepInterval: Duration? = .seconds(60),
    shutdownLimit: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
    onSweepFailure: @escaping FailureHandler = { _, _ in }
  ) {
    self.stores = stores
    self.sweepInterval = sweepInterval
    self.shutdownLimit = shutdownLimit
    self.clock = clock
    self.onSweepFailure = onSweepFailure
  }

  /// Sweeps until the task is cancelled or `shutDown()` is called, then shuts down. Throws what `shutDown()` throws.
  public func run() async throws {
    let sweeps = Task { await sweepRepeatedly() }
    let isStopped = state.withLock { state in
      state.sweeps.append(sweeps)
      return state.isStopped
    }
    if isStopped { sweeps.cancel() }
    await cancelling {
      await sweeps.value
    } onCancel: {
      stop()
    }
    try await shutDown()
  }

  /// Ends the sweeps, waits for work in progress, and closes connections. A cancellation of the task does not end it.
  ///
  /// Throws `.timedOut` if the limit was reached, and otherwise the first error of a store, for example if a pending
  /// write could not be made. The connections are closed nevertheless. Later calls wait for the first one, and return
  /// or throw the same.
  public func shutDown() async throws {
    stop()
    let shutdown = state.withLock { state in
      let shutdown = state.shutdown ?? Task { try await finishAndClose() }
      state.shutdown = shutdown
      return shutdown
    }
    try await shutdown.value
  }

  /// Ends the sweeps, so that `run()` shuts down.
  package func stop() {
    let sweeps = state.withLock { state in
      state.isStopped = true
      return state.sweeps
    }
    for sweep in sweeps { sweep.cancel() }
  }

  private func sweepRepeatedly() async {
    while true {
      do { try await clock.sleep(for: sweepInterval ?? .seconds(86_400)) } catch { return }
      if sweepInterval == nil { continue }
      for store in stores {
        guard let store = store as? any StorageAware else { continue }
        do { try await store.removeExpiredObjects() } catch {
          if Task.isCancelled { return }
          onSweepFailure(error, store.storageName)
        }
      }
    }
  }

  private func finishAndClose() async throws {
    let living = Self.living(in: stores)
    defer { for store in living { store.close() } }
    let unfinished = {
      living.filter { $0.unfinishedOperations > 0 }
        .map { "\($0.storageName) (\($0.unfinishedOperations))" }.joined(separator: ", ")
    }
    do {
      try await withTimeLimit(shutdownLimit, on: clock, throwing: LimitReached()) {
        // An outer store comes first: its loads may leave writes that an inner one has to make.
        for store in living { try await store.finish() }
      }
    } catch is LimitReached {
      throw StorageError.timedOut.with(
        "shutting down took longer than \(shutdownLimit), and these stores lose unfinished operations: "
          + "\(unfinished()); raise `shutdownLimit`, or look why their source or server does not answer")
    }
  }

  /// Returns the stores in chains that have a lifecycle, outer ones first, each once.
  private static func living(in stores: [any StorageDesign]) -> [any StorageLifecycle] {
    // A list: a chain has few stores.
    var seen: [ObjectIdentifier] = []
    var found: [any StorageLifecycle] = []
    func visit(_ store: any StorageDesign) {
      if type(of: store) is AnyClass {
        let identity = ObjectIdentifier(store as AnyObject)
        if seen.contains(identity) { return }
        seen.append(identity)
      }
      if let store = store as? any StorageLifecycle { found.append(store) }
      store.wrappedStorages.forEach(visit)
    }
    stores.forEach(visit)
    return found
  }
}
