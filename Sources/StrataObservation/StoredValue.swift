public import Observation
public import StrataCore

/// The value of one key of a store, for views and models to watch.
///
/// It follows the changes of the store, also those of other views of it, of other processes and of other machines where
/// the store has an invalidation source.
///
/// ```swift
/// @MainActor func greet(in users: Storage<String, User>) async throws {
///   let ada = StoredValue(users, forKey: "ada")
///   withObservationTracking { print(ada.value?.name ?? "nobody") } onChange: { print("another name") }
///   try await ada.update { $0.visits += 1 }
/// }
/// ```
///
/// - **Reading.** `value` is a stored property's read, and waits for nothing. A value in memory is there at once. Any
///   other is read outside of the main actor, as is every change; a burst of changes is read once. A change in memory
///   reaches `value` in the next turn of the main actor, any other in the first turn after it has been read.
/// - **Writing.** `set` shows the value at once, and stores it afterwards. Writes are made in the order of their calls;
///   a value that is replaced before its write begins is not stored. Until all writes are made, changes by others are
///   not shown. A write that fails shows what is stored, and the phase `.failed`.
/// - **Loading.** Over a `LoadingStorage`, a stale value is shown first, and the loaded one when it comes. A load is
///   started for a first value that is missing or stale, for a value that has been removed, and by `refresh()`.
/// - **End.** Releasing the last reference ends all observations. Pending writes are still made. Functions such as
///   `removeAllKeyObservers()` of a store end observations of users only.
///
/// Changes are reported by `Storage`, `AsyncStorage`, combinators and loading stores over them, and by the invalidation
/// sources of `StrataRedis` and `StrataPostgres`. Any other store, and a disk that another process changes, reports
/// none: then the value follows its own writes and `refresh()`. A value that expires is gone from then on, and one of a
/// loading store is stale from then on. A store that blocks, and is no `Storage`, blocks a thread of Swift's pool
/// during reads and writes.
///
/// If `Value` is `Equatable`, an equal value is not reported as a change. If it is not, a value may be reported twice.
@MainActor
public final class StoredValue<Value: Sendable>: Observable {
  // What the macro `@Observable` would write, but so that a read is compiled into the caller, and with paths that are
  // kept: in a generic class, code that writes a path makes it anew each time, which takes longer than the read.
  @usableFromInline let registrar = ObservationRegistrar()
  @usableFromInline let valuePath: KeyPath<StoredValue, Value?> = \.value
  let phasePath: KeyPath<StoredValue, StoredPhase> = \.phase
  @usableFromInline var shown: Value?
  var shownPhase = StoredPhase.loading

  let source: StoredSource<Value>
  let signal = ChangeSignal()
  lazy var writes = WriteQueue(source) { [weak self] in self?.end($0) }
  /// The value that was last known to be stored.
  var confirmed: Value?
  /// Whether the value that is shown is based on a read or a write. Until then, a change of a default must not replace
  /// a value that has not been read.
  var isKnown = false
  /// The number of the last write's begin or end: earlier reads are outdated.
  var lastWrite = 0
  var writeFailure: (any Error)?
  var loader = StoredLoader<Value>()
  /// The callers that wait for a read, by the mark that it must have.
  var waiting: [(mark: Int, caller: CheckedContinuation<Void, Never>)] = []

  /// Creates the observed value of a key.
  ///
  /// It returns at once. A value in memory is shown, any other is read or loaded later. Over a store that other
  /// machines change, a read that fails is repeated, after a second first and every half minute at last.
  ///
  /// - Parameters:
  ///   - store: the store. See above which stores report changes.
  ///   - key: the key.
  ///   - clock: the clock of these pauses, and of the time until a value expires.
  public convenience init<Key>(
    _ store: some StorageAware<Key, Value>, forKey key: Key,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(StoredSource(store, key: key), clock: clock)
  }

  /// - Parameter mayBlock: whether the first read may block this thread, where the store can be read without `await`.
  init(
    _ source: StoredSource<Value>, clock: any Clock<Duration> = ContinuousClock(), mayBlock: Bool = false
  ) {
    self.source = source
    source.connect(signal)
    // The observers are there first, so that no change is missed in between.
    let first = source.lookAtOnce(mayBlock: mayBlock)
    switch first {
    case .success(let look):
      (shown, confirmed, shownPhase) = (look.value, look.value, .loaded)
      (isKnown, loader.isFirst) = (true, false)
    case .failure(let error): shownPhase = .failed(error)
    case nil: break
    }
    // The task finds out when an entry ends.
    if case .success(let look) = first, look.expiry == .never {} else { signal.send() }
    follow(clock)
  }

  deinit { signal.end() }

  /// The stored value, or `nil` if there is none, or none has been read yet.
  ///
  /// To set it is to call `set(_:)`; `nil` removes the value.
  @inlinable
  public var value: Value? {
    get {
      registrar.access(self, keyPath: valuePath)
      return shown
    }
    set { write(newValue) }
  }

  /// How far the value has been read. See ``StoredPhase``.
  public var phase: StoredPhase {
    registrar.access(self, keyPath: phasePath)
    return shownPhase
  }
}
