public import Synchronization

/// Keeps a front true to a back that others change as well and that announces every change.
///
/// Once an announcement has been heard, no read that begins later is served from the front what was stored before the
/// change. What a hit pays for it is one look at `doubt`. For the races see `Documentation/Coherence.md`.
@usableFromInline
package final class Coherence<Key: Hashable & Sendable>: Sendable {
  /// Looked at by every hit.
  let doubt = Doubt()
  private let state = Locked(CoherenceState<Key>())
  private let front: CoherentFront<Key>
  private let announcer: StorageAnnouncer<Key>
  private let subscription = Locked<ObservationToken?>(nil)

  /// Lets a front hear what the store behind it announces. What it holds already is dropped: nobody knows how old it
  /// is.
  init(_ front: CoherentFront<Key>, hearing announcer: StorageAnnouncer<Key>) {
    self.front = front
    self.announcer = announcer
    let token = announcer.listen { [weak self] in self?.hear($0) }
    subscription.withLock { $0 = token }
    change { $0.follow(announcer.link) }
    emptyFirst()
  }

  deinit { subscription.withLock { $0?.cancel() } }

  /// Whether what the front holds of a key may not be served.
  func isInDoubt(_ key: Key) -> Bool { state.withLock { $0.isInDoubt(key) } }

  private func change<R: Sendable>(_ change: (inout CoherenceState<Key>) -> R) -> R {
    state.withLock { state in
      let result = change(&state)
      doubt.set(state.hasDoubt)
      return result
    }
  }

  // MARK: Announcements

  private func hear(_ announcement: StorageAnnouncer<Key>.Announcement) {
    switch announcement {
    case .changed(let keys):
      change { $0.change(keys, lag: front.removeNow == nil) }
      guard let removeNow = front.removeNow else { break }
      do { try removeNow(keys) } catch { change { $0.changeAll() } }
    case .changedAll: change { $0.changeAll() }
    // Read under the lock: of two threads that come with it, the later knows the newer.
    case .link: change { $0.follow(announcer.link) }
    }
    work()
  }

  // MARK: Reads

  /// Begins a read of the back.
  func watch(_ keys: [Key]) -> ReadWatch<Key> {
    let start = state.withLock { state in
      state.open(keys)
      return state.count
    }
    // A front that could not be emptied is given another chance by whoever would use it.
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

  // MARK: Chores

  /// Empties a new front on the spot if it does not wait for anything, so that its first values can be served.
  private func emptyFirst() {
    guard let emptyNow = front.emptyNow, let chore = change({ $0.startWork() }) else { return work() }
    do {
      try emptyNow()
      change { $0.done(chore, failed: false) }
    } catch {
      change { $0.done(chore, failed: true) }
    }
    if let chore = change({ $0.nextChore() }) { start(chore) }
  }

  /// Sees to it that somebody removes what is to be removed.
  private func work() {
    if let chore = change({ $0.startWork() }) { start(chore) }
  }

  /// Removes in a task that nobody waits for.
  private func start(_ chore: CoherenceState<Key>.Chore) {
    OngoingOperation.apart { Task { await workOff(chore) } }
  }

  /// Removes what is to be removed until nothing is left. A front that fails is in doubt until the next try.
  private func workOff(_ first: CoherenceState<Key>.Chore) async {
    var next: CoherenceState<Key>.Chore? = first
    while let chore = next {
      do {
        try await front.perform(chore)
        change { $0.done(chore, failed: false) }
      } catch {
        change { $0.done(chore, failed: true) }
      }
      next = change { $0.nextChore() }
    }
  }
}

/// Whether there is any key that may not be served from a front.
///
/// Apart from `Coherence`, which is generic: a hit that had to find its way to a field of a generic class would take
/// twice as long.
@usableFromInline
package final class Doubt: Sendable {
  @usableFromInline let flag = Atomic(true)

  init() {}

  @inlinable
  var exists: Bool { flag.load(ordering: .acquiring) }

  /// Writes only what is new: every hit on every core reads it.
  func set(_ exists: Bool) {
    if flag.load(ordering: .relaxed) != exists { flag.store(exists, ordering: .releasing) }
  }
}
