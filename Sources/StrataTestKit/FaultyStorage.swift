public import StrataCore

/// A store that fails, dawdles and hangs as a test says: "the database is down for a minute" in a millisecond.
///
/// ```swift
/// let time = ManualClock()
/// let faulty = FaultyStorage(
///   MemoryStorage<String, Int>(), seed: 7, failing: 0.1, delay: .zero ... .seconds(2), clock: time)
/// faulty.isDown = true
/// ```
///
/// Choices are made by a seed, one after the other, so a test that asks for one thing at a time finds the same each
/// time. Copies share their faults.
public struct FaultyStorage<Inner: StorageAware>: StorageAware {
  /// The keys of the store below.
  public typealias Key = Inner.Key
  /// The values of the store below.
  public typealias Value = Inner.Value

  /// Thrown by what is made to fail.
  public struct Fault: Error, Equatable {
    /// Which call it was, from 1.
    public let call: Int

    /// Makes one, to compare with.
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

  /// The faults that copies share.
  private final class Faults: Sendable {
    let state: Locked<State>
    init(_ state: State) { self.state = Locked(state) }
  }

  /// The store below, which never fails by itself.
  public let inner: Inner
  private let faults: Faults
  private let sleeping: any Clock<Duration>

  /// Makes a store that fails by chance.
  ///
  /// - Parameters:
  ///   - failing: which part of all calls throws a `Fault`, from 0 to 1.
  ///   - hanging: which part of all calls does not return until its task is cancelled.
  ///   - delay: how long a call takes at least and at most.
  ///   - clock: what delays sleep on: a `ManualClock` in most tests.
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

  /// Which part of all calls throws.
  public var failing: Double {
    get { faults.state.withLock { $0.failing } }
    nonmutating set { faults.state.withLock { $0.failing = newValue } }
  }

  /// Which part of all calls hangs until it is cancelled.
  public var hanging: Double {
    get { faults.state.withLock { $0.hanging } }
    nonmutating set { faults.state.withLock { $0.hanging = newValue } }
  }

  /// How long a call takes at least and at most.
  public var delay: ClosedRange<Duration>? {
    get { faults.state.withLock { $0.delay } }
    nonmutating set { faults.state.withLock { $0.delay = newValue } }
  }

  /// How many calls there were.
  public var calls: Int { faults.state.withLock { $0.calls } }
  /// How many calls have thrown a `Fault`.
  public var faultCount: Int { faults.state.withLock { $0.faults } }
  /// How many calls wait at the gate, or hang.
  public var waiting: Int { faults.state.withLock { $0.gates.count } }

  /// Makes calls wait until `open`, or until they are cancelled.
  public func close() { faults.state.withLock { $0.isClosed = true } }

  /// Lets all that wait go on, also those that hang.
  public func open() {
    let gates = faults.state.withLock { state in
      state.isClosed = false
      defer { state.gates = [:] }
      return state.gates
    }
    for gate in gates.values { gate.resume() }
  }

  /// Does what happens to a call before it is made: nothing, a delay, a hang or a failure.
  private func pass() async throws {
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
        // Cancelled before there was anything to wake: the handler has found nobody.
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
  /// The store below.
  public var wrappedStorages: [any StorageDesign] { [inner] }
  /// The clock of the store below.
  public var clock: StorageClock { inner.clock }
  /// The hub of the store below.
  public var hub: StorageHub<Key>? { inner.hub }
  /// That of the store below.
  public var announcer: StorageAnnouncer<Key>? { inner.announcer }

  /// Reads what is stored, unless it fails.
  public func entryIfPresent(forKey key: Key) async throws -> Entry<Value>? {
    try await pass()
    return try await inner.entryIfPresent(forKey: key)
  }
  /// Stores a value, unless it fails.
  public func setObject(_ object: Value, forKey key: Key, expiry: Expiry?) async throws {
    try await pass()
    try await inner.setObject(object, forKey: key, expiry: expiry)
  }
  /// Removes what is stored, unless it fails.
  public func removeObject(forKey key: Key) async throws {
    try await pass()
    try await inner.removeObject(forKey: key)
  }
  /// Removes everything, unless it fails.
  public func removeAll() async throws {
    try await pass()
    try await inner.removeAll()
  }
  /// Removes what has expired, unless it fails.
  public func removeExpiredObjects() async throws {
    try await pass()
    try await inner.removeExpiredObjects()
  }
  /// The keys of all that is stored, unless it fails.
  public func keys() async throws -> [Key] {
    try await pass()
    return try await inner.keys()
  }
}
