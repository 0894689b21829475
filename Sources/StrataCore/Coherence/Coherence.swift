public import Synchronization

/// Keeps a front coherent with a back that other writers change and that reports every change.
///
/// Once an invalidation has been received, no read that begins later returns the old value from the front. For a hit
/// this costs one read of `suspectFlag`. For the races see `Documentation/Coherence.md`.
@usableFromInline
package final class Coherence<Key: Hashable & Sendable>: Sendable {
  /// The flag that every hit reads.
  let suspectFlag = SuspectFlag()
  private let state = Locked(CoherenceState<Key>())
  private let front: CoherentFront<Key>
  private let invalidationSource: InvalidationSource<Key>
  private let subscription = Locked<ObservationToken?>(nil)

  /// Connects a front with the invalidation source of its back. Empties the front first, since the age of its entries
  /// is unknown.
  init(_ front: CoherentFront<Key>, hearing invalidationSource: InvalidationSource<Key>) {
    self.front = front
    self.invalidationSource = invalidationSource
    let token = invalidationSource.listen { [weak self] in self?.hear($0) }
    subscription.withLock { $0 = token }
    change { $0.follow(invalidationSource.link) }
    emptyFirst()
  }

  deinit { subscription.withLock { $0?.cancel() } }

  /// Returns whether the front's entry of a key is suspect: it must not be served.
  func isSuspect(_ key: Key) -> Bool { state.withLock { $0.isSuspect(key) } }

  private func change<R: Sendable>(_ change: (inout CoherenceState<Key>) -> R) -> R {
    state.withLock { state in
      let result = change(&state)
      suspectFlag.set(state.hasSuspects)
      return result
    }
  }

  // MARK: Invalidations

  private func hear(_ announcement: InvalidationSource<Key>.Announcement) {
    switch announcement {
    case .changed(let keys):
      change { $0.change(keys, lag: front.removeNow == nil) }
      guard let removeNow = front.removeNow else { break }
      do {
        try removeNow(keys)
        // A read that has begun meanwhile may have found an entry before its removal. Later reads must not share that.
        change { $0.change(keys, lag: false) }
      } catch {
        change { $0.changeAll() }
      }
    case .changedAll: change { $0.changeAll() }
    // `link` is read under the lock, so that of two threads the later one never sets an older state.
    case .link: change { $0.follow(invalidationSource.link) }
    }
    work()
  }

  // MARK: Reads

  /// Begins a read of the back and returns its watch.
  func watch(_ keys: [Key]) -> ReadWatch<Key> {
    let start = state.withLock { state in
      state.open(keys)
      return state.count
    }
    // If the front could not be emptied before, each read of the back tries again.
    work()
    return ReadWatch(self, keys: keys, start: start)
  }

  func close(_ watch: ReadWatch<Key>) { state.withLock { $0.close(watch.keys) } }

  func isOutdated(_ key: Key, since start: UInt64) -> Bool {
    state.withLock { $0.isOutdated(key, since: start) }
  }

  func startPutting(_ key: Key, since start: UInt64) -> Bool {
    state.withLock { $0.startPutting(key, since: start) }
  }

  func mayStay(_ key: Key, since start: UInt64) -> Bool { state.withLock { $0.mayStay(key, since: start) } }

  func endPutting(_ key: Key, leavingOutdated: Bool) {
    change { $0.endPutting(key, leavingOutdated: leavingOutdated) }
    work()
  }

  // MARK: Removals

  /// Empties a new front at once if that never waits, so that its first values can be served.
  private func emptyFirst() {
    guard let emptyNow = front.emptyNow, let chore = change({ $0.startWork() }) else { return work() }
    let next: CoherenceState<Key>.Chore?
    do {
      try emptyNow()
      next = change { $0.done(chore, failed: false) }
    } catch {
      next = change { $0.done(chore, failed: true) }
    }
    if let next { start(next) }
  }

  /// Starts a task for pending removals, unless one is running.
  private func work() {
    if let chore = change({ $0.startWork() }) { start(chore) }
  }

  /// Removes keys from the front in a task that no caller waits for.
  private func start(_ chore: CoherenceState<Key>.Chore) {
    OngoingOperation.apart { Task { await workOff(chore) } }
  }

  /// Performs pending removals until none is left. A front whose removal fails stays suspect until the next attempt.
  private func workOff(_ first: CoherenceState<Key>.Chore) async {
    var next: CoherenceState<Key>.Chore? = first
    while let chore = next {
      do {
        try await front.perform(chore)
        next = change { $0.done(chore, failed: false) }
      } catch {
        next = change { $0.done(chore, failed: true) }
      }
    }
  }
}

/// A flag that is set while any key of a front is suspect.
///
/// It is separate from `Coherence`, which is generic: finding a field of a generic class would double the time of a
/// hit.
@usableFromInline
package final class SuspectFlag: Sendable {
  @usableFromInline let flag = Atomic(true)

  init() {}

  @inlinable
  package var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Sets the flag only if it changes: every hit on every core reads it.
  func set(_ isSet: Bool) {
    if flag.load(ordering: .relaxed) != isSet { flag.store(isSet, ordering: .releasing) }
  }
}
