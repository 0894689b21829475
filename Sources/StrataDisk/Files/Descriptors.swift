#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// The descriptors that all stores of this process keep open to avoid opening files again.
///
/// A store needs one for its control file and one for its folder. Beyond that, all stores together keep at most `limit`
/// segments open. When the process or the system has no descriptor left, all unused segments are closed, and the failed
/// call is made again.
enum Descriptors {
  static let limit = 256

  private struct Holder: Sendable {
    let identity: ObjectIdentifier
    weak var cache: SegmentCache?
  }

  private struct Holders: Sendable {
    var all: [Holder] = []
    var count = 0
    /// The index of the cache that closes its segments next.
    var next = 0
  }

  /// A cache that is destroyed takes this lock, so a cache obtained from here must be released outside it.
  private static let holders = Locked(Holders())

  static func register(_ cache: SegmentCache) {
    holders.withLock { $0.all.append(Holder(identity: ObjectIdentifier(cache), cache: cache)) }
  }

  static func forget(_ cache: SegmentCache) {
    let identity = ObjectIdentifier(cache)
    holders.withLock { holders in holders.all.removeAll { $0.identity == identity } }
  }

  /// Records that a cache keeps more or fewer segments. Above the limit, other caches close theirs, in turn.
  static func count(_ change: Int, by cache: SegmentCache? = nil) {
    var excess = holders.withLock { holders in
      holders.count += change
      return holders.count - limit
    }
    var rounds = 0
    while excess > 0, let other = nextHolder(rounds) {
      if other !== cache || rounds > limit { other.giveBack() }
      excess = holders.withLock { $0.count - limit }
      rounds += 1
    }
  }

  private static func nextHolder(_ rounds: Int) -> SegmentCache? {
    if rounds > 2 * limit { return nil }
    return holders.withLock { holders in
      for _ in holders.all {
        holders.next = (holders.next + 1) % holders.all.count
        if let cache = holders.all[holders.next].cache { return cache }
      }
      return nil
    }
  }

  /// Closes all segments that no thread is using; `false` if there are none.
  static func giveBackAll() -> Bool {
    let caches = holders.withLock { $0.all.compactMap(\.cache) }
    var isAny = false
    for cache in caches where cache.giveBack() { isAny = true }
    return isAny
  }

  /// Makes a call that returns a descriptor, or -1. Repeats it when a signal interrupts it, and once more after closing
  /// unused segments if no descriptor is left.
  static func opening(_ call: () -> CInt) -> CInt {
    let result = SystemError.retrying { Int(call()) }
    guard result == -1, errno == EMFILE || errno == ENFILE else { return CInt(result) }
    let code = errno
    guard giveBackAll() else {
      errno = code
      return -1
    }
    return CInt(SystemError.retrying { Int(call()) })
  }
}
