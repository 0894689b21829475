/// The state of a front's coherence: the rules without threads. `Coherence` guards it by a lock.
struct CoherenceState<Key: Hashable & Sendable>: Sendable {
  /// A key with reads of the back in progress.
  private struct OpenKey: Sendable {
    var watches = 0
    /// The number of the last invalidation of this key.
    var changed: UInt64 = 0
  }

  /// The number of invalidations received.
  private(set) var count: UInt64 = 0
  /// The number of the last invalidation of all keys.
  private var allChanged: UInt64 = 0
  private var link = InvalidationSource<Key>.Link(isUp: false, losses: -1)
  private var open: [Key: OpenKey] = [:]
  /// The keys whose values are being stored in the front now. `overtaken` holds the keys among them that have been
  /// invalidated meanwhile.
  private var putting: Set<Key> = []
  private var overtaken: Set<Key> = []
  /// The keys that have yet to be removed from a front that may block or suspend. `leaving` holds the keys that are
  /// being removed now.
  private var lagging: Set<Key> = []
  private var leaving: Set<Key> = []
  private var mustEmpty = false
  private var isEmptying = false
  /// Whether a task is performing removals.
  private var isAtWork = false

  /// Whether all entries of the front are suspect. While the link is down the front is empty: it is emptied when the
  /// link is lost, and nothing is stored in it.
  private var areAllSuspect: Bool { mustEmpty || isEmptying }

  /// Whether any key of the front is suspect.
  var hasSuspects: Bool { areAllSuspect || !overtaken.isEmpty || !lagging.isEmpty || !leaving.isEmpty }

  func isSuspect(_ key: Key) -> Bool {
    areAllSuspect || overtaken.contains(key) || lagging.contains(key) || leaving.contains(key)
  }

  // MARK: Invalidations

  /// Records an invalidation of keys. With `lag` they are removed from the front later.
  mutating func change(_ keys: [Key], lag: Bool) {
    count += 1
    for key in keys {
      open[key]?.changed = count
      if putting.contains(key) { overtaken.insert(key) }
    }
    if lag { lagging.formUnion(keys) }
  }

  mutating func changeAll() {
    outdateReads()
    overtaken.formUnion(putting)
    mustEmpty = true
  }

  /// Records the state of the link.
  mutating func follow(_ new: InvalidationSource<Key>.Link) {
    if new.losses != link.losses { changeAll() }
    // Values read while the link was down may have changed without an invalidation.
    if new.isUp != link.isUp { outdateReads() }
    link = new
  }

  private mutating func outdateReads() {
    count += 1
    allChanged = count
  }

  // MARK: Reads

  mutating func open(_ keys: [Key]) {
    for key in keys { open[key, default: OpenKey()].watches += 1 }
  }

  mutating func close(_ keys: [Key]) {
    for key in keys {
      open[key]?.watches -= 1
      if open[key]?.watches == 0 { open[key] = nil }
    }
  }

  /// Returns whether a key was invalidated after a read of it began. `start` is the number of invalidations at that
  /// time; the read must still be open.
  func isOutdated(_ key: Key, since start: UInt64) -> Bool {
    allChanged > start || (open[key]?.changed ?? 0) > start
  }

  mutating func startPutting(_ key: Key, since start: UInt64) -> Bool {
    if !link.isUp || isOutdated(key, since: start) { return false }
    putting.insert(key)
    return true
  }

  /// Returns whether a value that was stored in the front is still valid. If so, ends its storing.
  mutating func mayStay(_ key: Key, since start: UInt64) -> Bool {
    if isOutdated(key, since: start) { return false }
    putting.remove(key)
    return true
  }

  mutating func endPutting(_ key: Key, leavingOutdated: Bool) {
    putting.remove(key)
    overtaken.remove(key)
    if leavingOutdated { mustEmpty = true }
  }

  // MARK: Removals

  enum Chore: Sendable {
    case empty
    case remove(Set<Key>)
  }

  /// Returns the first pending removal, if none is being performed.
  mutating func startWork() -> Chore? {
    if isAtWork { return nil }
    isAtWork = true
    return nextChore()
  }

  /// Records the end of a removal, and returns the next one. After a failure all entries are suspect until the front
  /// has been emptied; a front that could not be emptied is not retried now.
  mutating func done(_ chore: Chore, failed: Bool) -> Chore? {
    isEmptying = false
    leaving = []
    if failed { mustEmpty = true }
    if case .empty = chore, failed {
      isAtWork = false
      return nil
    }
    return nextChore()
  }

  /// Returns the next removal, after which `done` must be called, or `nil` if none is left.
  private mutating func nextChore() -> Chore? {
    if mustEmpty {
      mustEmpty = false
      isEmptying = true
      lagging = []
      return .empty
    }
    isAtWork = !lagging.isEmpty
    swap(&lagging, &leaving)
    return isAtWork ? .remove(leaving) : nil
  }
}
