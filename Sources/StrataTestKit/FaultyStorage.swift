public import StrataCore

/// A store that fails, delays or hangs on demand: it simulates a failing database without a database, and without
/// waiting.
///
/// ```swift
/// let time = ManualClock()
/// let faulty = FaultyStorage(
///   MemoryStorage<String, Int>(), seed: 7, failing: 0.1, delay: .zero ... .seconds(2), clock: time)
/// faulty.isDown = true
/// ```
///
/// Faults are chosen one after the other from a seed, so a test without concurrent calls gets the same faults in every
/// run. Copies share their faults.
public struct FaultyStorage<Inner: StorageAware>: SimpleStorage {
  /// The type of the inner store's keys.
  public typealias Key = Inner.Key
  /// The type of the inner store's values.
  public typealias Value = Inner.Value

  /// The error thrown by a call that is made to fail.
  public struct Fault: Error, Equatable {
    /// The number of the call, from 1.
    public let call: Int

    /// Creates a fault, for comparison.
    public init(call: Int) { self.call = call }
  }

  private struct State: Sendable {
    var random: SeededGenerator
    var failing: Double
    var hanging: Double
    var delay: ClosedRange<Duration>?
    var isDown = false
    var calls = 0
    var faults = 0
    var gates: [Int: CheckedContinuation<Void, any Error>] = [:]
    var isClosed = false
  }

  /// The random generator, settings and counters that copies share.
  private final class Faults: Sendable {
    let state: Locked<State>
    init(_ state: State) { self.state = Locked(state) }
  }

  /// The inner store. Calls made directly to it do not fail.
  public let inner: Inner
  private let faults: Faults
  private let sleeping: any Clock<Duration>

  /// Creates a store with random faults.
  ///
  /// - Parameters:
  ///   - inner: the store that receives the calls that do not fail.
  ///   - seed: the seed of the random faults: the same calls with the same seed have the same faults.
  ///   - failing: the fraction of calls that throw a `Fault`, from 0 to 1.
  ///   - hanging: the fraction of calls that do not return until their task is cancelled.
  ///   - delay: the minimum and maximum duration of a call.
  ///   - clock: the clock on which delays sleep: a `ManualClock` in most tests.
  public init(
    _ inner: Inner, seed: UInt64, failing: Double = 0, hanging: Double = 0,
    delay: ClosedRange<Duration>? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.inner = inner
    sleeping = clock
    faults = Faults(
      State(random: SeededGenerator(seed: seed), failing: failing, hanging: hanging, delay: delay))
  }

  /// Whether all calls throw.
  public var isDown: Bool {
    get { faults.state.withLock { $0.isDown } }
    nonmutating set { faults.state.withLock { $0.isDown = newValue } }
  }

  /// The fraction of calls that throw.
  public var failing: Double {
    get { faults.state.withLock { $0.failing } }
    nonmutating set { faults.state.withLock { $0.failing = newValue } }
  }

  /// The fraction of calls that hang until they are cancelled.
  public var hanging: Double {
    get { faults.state.withLock { $0.hanging } }
    nonmutating set { faults.state.withLock { $0.hanging = newValue } }
  }

  /// The minimum and maximum duration of a call.
  public var delay: ClosedRange<Duration>? {
    get { faults.state.withLock { $0.delay } }
    nonmutating set { faults.state.withLock { $0.delay = newValue } }
  }

  /// The number of calls so far.
  public var calls: Int { faults.state.withLock { $0.calls } }
  /// The number of calls that have thrown a `Fault`.
  public var faultCount: Int { faults.state.withLock { $0.faults } }
  /// The number of calls that hang or wait for `open`.
  public var waiting: Int { faults.state.withLock { $0.gates.count } }

  /// Makes calls wait until `open` is called or their task is cancelled.
  ///
  /// ```swift
  /// slow.close()
  /// async let user = slow.objectIfPresent(forKey: "ada")   // Waits.
  /// slow.open()
  /// _ = try await user
  /// ```
  public func close() { faults.state.withLock { $0.isClosed = true } }

  /// Resumes all waiting calls, including hanging ones.
  public func open() {
    let gates = faults.state.withLock { state in
      state.isClosed = false
      defer { state.gates = [:] }
      return state.gates
    }
    for gate in gates.values { gate.resume() }
  }

  /// Applies the next fault before a call: nothing, a delay, a hang or a failure.
  func pass() async throws {
    let (call, delay, mustWait, mustFail) = faults.state.withLock { state in
      state.calls += 1
      let chance = Double.random(in: 0..<1, using: &state.random)
      let delay = state.delay.map { range in
        range.lowerBound
          + (range.upperBound - range.lowerBound) * Double.random(in: 0...1, using: &state.random)
      }
      let hangs = chance >= state.failing && chance < state.failing + state.hanging
      let fails = state.isDown || chance < state.failing
      if fails { state.faults += 1 }
      return (state.calls, delay, hangs || state.isClosed, fails)
    }
    if let delay { try await sleeping.sleep(for: delay) }
    if mustWait { try await wait(as: call) }
    if mustFail { throw Fault(call: call) }
  }

  private func wait(as call: Int) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        faults.state.withLock { $0.gates[call] = continuation }
        // If the task was cancelled before the continuation was stored, the cancellation handler found nothing to
        // resume.
        if Task.isCancelled { cancel(call) }
      }
    } onCancel: {
      cancel(call)
    }
  }

  private func cancel(_ call: Int) {
    faults.state.withLock { $0.gates.removeValue(forKey: call) }?.resume(throwing: CancellationError())
  }
}

extension FaultyStorage {
  /// The inner store.
  public var wrappedStorages: [any StorageDesign] { [inner] }
  /// The clock of the inner store.
  public var clock: StorageClock { inner.clock }
  /// The coordinator of the inner store.
  public var coordinator: StorageCoordinator<Key>? { inner.coordinator }
  /// The invalidation source of the inner store.
  public var invalidationSource: InvalidationSource<Key>? { inner.invalidationSource }

  /// Returns the stored entry, unless the call is made to fail.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await pass()
    return try await inner.entryIfPresent(forKey: key)
  }
  /// Stores a value, unless the call is made to fail.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await pass()
    try await inner.setObject(object, forKey: key, expiry: expiry)
  }
  /// Removes an entry, unless the call is made to fail.
  public func removeObject(forKey key: Key) async throws {
    try await pass()
    try await inner.removeObject(forKey: key)
  }
  /// Removes all entries, unless the call is made to fail.
  public func removeAll() async throws {
    try await pass()
    try await inner.removeAll()
  }
  /// Removes expired entries, unless the call is made to fail.
  public func removeExpiredObjects() async throws {
    try await pass()
    try await inner.removeExpiredObjects()
  }
  /// Returns the keys of all entries, unless the call is made to fail.
  public func keys() async throws -> [Key] {
    try await pass()
    return try await inner.keys()
  }
  /// Returns at most `limit` keys after a cursor, unless the call is made to fail.
  public func keyPage(after cursor: KeyCursor?, limit: Int) async throws -> KeyPage<Key> {
    try await pass()
    return try await inner.keyPage(after: cursor, limit: limit)
  }
}
