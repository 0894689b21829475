#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lock of a log: who has it may change the log.
///
/// It is a word of the memory that all share, where whoever has the lock puts a token: so to take it and to give it
/// back needs no call of the system. That a process is alive shows in another way: from opening to closing, each holds
/// the lock of the byte of its file that its token says, and the system gives that back whenever a process dies.
/// Whoever finds the lock taken tries again until it is free, or takes it from an owner who is dead.
///
/// A token is made at random and never used twice, so that nobody dead is taken for somebody alive, and only one can
/// take the lock from the dead. What stands there after the machine was started anew, in a copy, or by damage, is the
/// token of nobody.
///
/// Who waits says so, and whoever comes then gives way, so that each has its turn; but not for long, because who waits
/// may have died or been stopped.
///
/// Where there are no locks on single bytes, it is a lock on the file, by `flock`. Nobody who uses the same memory can
/// find that otherwise: it is the same system.
extension ControlFile {
  private static let tokens: ClosedRange<UInt64> = 1 << 32...1 << 62

  /// Makes a token, and holds its byte for as long as the file is open.
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
    // The token is the parent's, and so would be the lock.
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
    // Others who wait say so again.
    store(0, .waiting)
  }

  /// Takes the lock if nobody has it or waits for it; `false` also where that cannot be told without waiting.
  func tryLock() -> Bool {
    guard !isReadOnly, !isInherited, let token, load(.waiting) == 0 else { return false }
    return replace(0, by: token, .owner)
  }

  /// Lets somebody have its turn who waits, if it still does.
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

  /// Who may not write cannot keep others from writing, and waits for a moment in which nobody does. What is written
  /// later, it reads on.
  private func waitForCalm() throws(SystemError) {
    guard load(.magic) == Self.magic else { return }
    var pause = Pause()
    while !(isUndamaged && load(.changing) == 0), !pause.isLonger(than: .anyChange) { pause.wait() }
  }
}

/// How to wait for somebody who has no means to say when to go on: at first hardly, in the end a millisecond at a time.
private struct Pause {
  private var rounds = 0

  /// Lengths of waiting, in rounds.
  enum Length: Int {
    /// Two milliseconds: longer than who waits does until it tries again.
    case asOneWaits = 64
    /// Some tenth of a second: longer than anything that is done without being interrupted.
    case anyChange = 200
  }

  func isLonger(than length: Length) -> Bool { rounds > length.rawValue }

  mutating func wait() {
    rounds += 1
    if rounds <= 50 { sched_yield() } else { usleep(useconds_t(min(1000, 20 * (rounds - 50)))) }
  }
}
