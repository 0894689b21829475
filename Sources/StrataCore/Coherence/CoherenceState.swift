/// What is known of a front's truth, under the lock of its `Coherence`: the rules without their threads.
struct CoherenceState<Key: Hashable & Sendable>: Sendable {
  /// A key that is being read from the back.
  private struct OpenKey: Sendable {
    var watches = 0
    /// The last announcement that named it.
    var changed: UInt64 = 0
  }

  /// How many announcements there have been.
  private(set) var count: UInt64 = 0
  /// The last one that was about all keys.
  private var allChanged: UInt64 = 0
  private var link = StorageAnnouncer<Key>.Link(isUp: false, losses: -1)
  private var open: [Key: OpenKey] = [:]
  /// Keys whose value is being put in front at this moment, and those of them that an announcement has overtaken.
  private var putting: Set<Key> = []
  private var overtaken: Set<Key> = []
  /// What is to be removed from a front that cannot do so at once, and what is being removed.
  private var lagging: Set<Key> = []
  private var leaving: Set<Key> = []
  private var mustEmpty = false
  private var isEmptying = false
  /// Whether somebody removes what is to be removed.
  private var isAtWork = false

  /// Whether nothing that is in front may be served. While the link is down there is nothing: what was in front is
  /// removed when it is lost, and nothing is put there.
  private var isInDoubt: Bool { mustEmpty || isEmptying }

  /// Whether there is any key that may not be served from the front.
  var hasDoubt: Bool { isInDoubt || !overtaken.isEmpty || !lagging.isEmpty || !leaving.isEmpty }

  func isInDoubt(_ key: Key) -> Bool {
    isInDoubt || overtaken.contains(key) || lagging.contains(key) || leaving.contains(key)
  }

  // MARK: Announcements

  /// Notes that keys have changed; `lag` if they are to be removed later.
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

  /// Notes how things stand with the link.
  mutating func follow(_ new: StorageAnnouncer<Key>.Link) {
    if new.losses != link.losses { changeAll() }
    // What was read while nothing was heard may have changed unheard.
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

  /// Whether a change was announced of what a read has found that began after so many announcements and is still open.
  func isOutdated(_ key: Key, since start: UInt64) -> Bool {
    allChanged > start || (open[key]?.changed ?? 0) > start
  }

  mutating func startPutting(_ key: Key, since start: UInt64) -> Bool {
    if !link.isUp || isOutdated(key, since: start) { return false }
    putting.insert(key)
    return true
  }

  /// Whether what was put in front is still the truth; then it is no longer being put.
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

  // MARK: Chores

  enum Chore: Sendable {
    case empty
    case remove(Set<Key>)
  }

  /// What is to be removed now, if nobody is at work.
  mutating func startWork() -> Chore? {
    if isAtWork { return nil }
    isAtWork = true
    return nextChore()
  }

  /// What is to be removed now, after which `done` must follow; `nil` if the work is over.
  mutating func nextChore() -> Chore? {
    guard isAtWork else { return nil }
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

  /// A front that could not remove something is not trusted until it has been emptied; one that could not be emptied is
  /// left alone for now.
  mutating func done(_ chore: Chore, failed: Bool) {
    if case .empty = chore { isAtWork = !failed }
    isEmptying = false
    leaving = []
    if failed { mustEmpty = true }
  }
}
