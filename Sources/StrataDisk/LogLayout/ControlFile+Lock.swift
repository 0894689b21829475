#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The lock of a log: who has it may change the log.
///
/// It is a word of the memory that all share, where whoever has the lock puts a token: so to take it and to give it back needs no call of
/// the system. That a process is alive shows in another way: from opening to closing, each holds the lock of the byte of its file that
/// its token says, and the system gives that back whenever a process dies. Whoever finds the lock taken joins a queue, the lock of byte
/// 0. The first in it waits until the lock is free, or takes it from an owner who is dead. As long as somebody waits, nobody takes the lock
/// without queueing, so that each has its turn.
///
/// A token is made at random and never used twice, so that nobody dead is taken for somebody alive. What stands there after the machine was
/// started anew, in a copy, or by damage, is the token of nobody.
///
/// Where there are no locks on single bytes, it is a lock on the file, by `flock`. Nobody who uses the same memory can
/// find that otherwise: it is the same system.
extension ControlFile {
  private static let queue: UInt64 = 0
  private static let tokens: ClosedRange<UInt64> = 1 << 32...1 << 62

  /// Makes a token, and holds its byte for as long as the file is open.
  static func token(on file: borrowing File) throws(SystemError) -> UInt64? {
    while true {
      let token = UInt64.random(in: tokens)
      guard let isHeld = try file.tryHold(byte: token) else { return nil }
      if isHeld { return token }
    }
  }

  func lock() throws(SystemError) {
    if isReadOnly { return try waitForCalm() }
    guard let token else { return try file?.lock() ?? () }
    if load(.waiting) == 0, replace(0, by: token, .owner) { return }
    try file?.hold(byte: Self.queue)
    defer { file?.letGo(byte: Self.queue) }
    store(1, .waiting)
    defer { store(0, .waiting) }
    var pause = Pause()
    while !replace(0, by: token, .owner) {
      let owner = load(.owner)
      if owner != 0, try !isAlive(owner), replace(owner, by: token, .owner) { return }
      pause.wait()
    }
  }

  func unlock() {
    guard let token else { return file?.unlock() ?? () }
    _ = replace(token, by: 0, .owner)
  }

  private func isAlive(_ token: UInt64) throws(SystemError) -> Bool {
    guard Self.tokens.contains(token), let isHeld = try file?.isHeld(byte: token) else { return false }
    return isHeld
  }

  /// Who may not write cannot keep others from writing, and waits for a moment in which nobody does. What is written later, it reads on.
  private func waitForCalm() throws(SystemError) {
    guard load(.magic) == Self.magic else { return }
    var pause = Pause()
    while !(isUndamaged && load(.changing) == 0), !pause.isLong { pause.wait() }
  }
}

/// How long to wait for somebody who has no means to say when to go on: at first hardly, in the end a millisecond at a time.
private struct Pause {
  private var rounds = 0

  /// Whether it has been some tenth of a second: longer than anything that is done without being interrupted.
  var isLong: Bool { rounds > 250 }

  mutating func wait() {
    rounds += 1
    if rounds <= 50 { sched_yield() } else { usleep(useconds_t(min(1000, 20 * (rounds - 50)))) }
  }
}
