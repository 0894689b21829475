#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// The descriptors that all stores of this process keep to save themselves opening a file anew.
///
/// A store needs one for its control file, and one for its folder. Beyond that, all stores together keep at most
/// `limit` segments open. When the process, or the system, has no descriptor left, all of these are given back, and the
/// call that failed is made again.
enum Descriptors {
  static let limit = 256

  private struct Holder: Sendable {
    let identity: ObjectIdentifier
    weak var cache: SegmentCache?
  }

  private struct Holders: Sendable {
    var all: [Holder] = []
    var count = 0
    /// Whose turn it is to give back.
    var next = 0
  }

  /// A cache that goes takes this lock: so whatever is taken from here is let go of outside it.
  private static let holders = Locked(Holders())

  static func register(_ cache: SegmentCache) {
    holders.withLock { $0.all.append(Holder(identity: ObjectIdentifier(cache), cache: cache)) }
  }

  static func forget(_ cache: SegmentCache) {
    let identity = ObjectIdentifier(cache)
    holders.withLock { holders in holders.all.removeAll { $0.identity == identity } }
  }

  /// Notes that a cache keeps more segments, or fewer. If there are too many, others give theirs back, one after the
  /// other.
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

  /// Closes all segments that nobody uses at this moment; `false` if there are none.
  static func giveBackAll() -> Bool {
    let caches = holders.withLock { $0.all.compactMap(\.cache) }
    // Each of them: `contains` would end with the first.
    return caches.map { $0.giveBack() }.contains(true)
  }

  /// Makes a call that returns a descriptor, or -1: again if a signal interrupts, and once more with what was given
  /// back if there is no descriptor left.
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
