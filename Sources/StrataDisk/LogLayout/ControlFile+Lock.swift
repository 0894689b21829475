#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lock of a log. Only its owner may change the log.
///
/// The lock is a word of the shared memory that contains its owner's token, so that acquiring and releasing it needs no
/// system call. To show that it is alive, each store locks the byte of the file at its token's offset, from opening to
/// closing. The system releases this lock when the process dies. A process that finds the word taken retries until it
/// is free, or replaces the token of a dead owner.
///
/// A token is random and never used twice. So a dead owner is never mistaken for a live one, and only one process can
/// replace its token. A word left by an earlier boot, a copy or damage contains the token of no live process.
///
/// A waiting process sets a second word, and processes that arrive later let it go first. They do so for a short time
/// only, because the waiting process may have died or been stopped.
///
/// On systems without locks on single bytes, the lock is `flock` on the file. All processes that share the memory run
/// on one system, so they all use the same kind of lock.
extension ControlFile {
  private static let tokens: ClosedRange<UInt64> = 1 << 32...1 << 62

  /// Makes a token, and locks its byte for as long as the file is open. Returns `nil` if the system has no such locks.
  static func token(on file: borrowing File) throws(SystemError) -> UInt64? {
    while true {
      let token = UInt64.random(in: tokens)
      guard let isHeld = try file.tryHold(byte: token) else { return nil }
      if isHeld { return token }
    }
  }

  /// Takes the lock. Throws a `StaleSession` in a forked child.
  func lock() throws {
    if isReadOnly { return try waitForCalm() }
    // A child has its parent's token, and would share its lock.
    if isInherited { throw StaleSession() }
    guard let token else { return try file?.lock() ?? () }
    if load(.waiting) != 0 { giveWay() }
    if replace(0, by: token, .owner) { return }
    var pause = Pause()
    while !replace(0, by: token, .owner) {
      store(1, .waiting)
      let owner = load(.owner)
      if owner != 0, try !isAlive(owner), replace(owner, by: token, .owner) { break }
      pause.wait()
    }
    // Other waiting processes set it again.
    store(0, .waiting)
  }

  /// Takes the lock if it is free and no process waits for it. Returns `false` too if finding that out would require
  /// waiting.
  func tryLock() -> Bool {
    guard !isReadOnly, !isInherited, let token, load(.waiting) == 0 else { return false }
    return replace(0, by: token, .owner)
  }

  /// Waits until the waiting process has had its turn, for a limited time.
  private func giveWay() {
    var pause = Pause()
    while load(.waiting) != 0 {
      if pause.isLonger(than: .asOneWaits) { return store(0, .waiting) }
      pause.wait()
    }
  }

  func unlock() {
    releasePlace()
    guard let token else { return file?.unlock() ?? () }
    _ = replace(token, by: 0, .owner)
  }

  private func isAlive(_ token: UInt64) throws(SystemError) -> Bool {
    guard Self.tokens.contains(token), let isHeld = try file?.isHeld(byte: token) else { return false }
    return isHeld
  }

  /// Waits for a moment without a change in progress. For a process that may not write, and so cannot take the lock; it
  /// reads later records as they come.
  private func waitForCalm() throws(SystemError) {
    guard load(.magic) == Self.magic else { return }
    var pause = Pause()
    while !(isUndamaged && load(.changing) == 0), !pause.isLonger(than: .anyChange) { pause.wait() }
  }
}

/// The pauses between retries, while no other process can give a signal: short at first, in the end a millisecond each.
private struct Pause {
  private var rounds = 0

  /// Limits on waiting, in rounds.
  enum Length: Int {
    /// Two milliseconds: longer than a waiting process pauses before it retries.
    case asOneWaits = 64
    /// About a tenth of a second: longer than any change that is not interrupted.
    case anyChange = 200
  }

  func isLonger(than length: Length) -> Bool { rounds > length.rawValue }

  mutating func wait() {
    rounds += 1
    if rounds <= 50 { sched_yield() } else { usleep(useconds_t(min(1000, 20 * (rounds - 50)))) }
  }
}
