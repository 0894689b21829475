import Dispatch
import StrataDelegate

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Vault {
  /// Runs `body` while no other thread or process can write the vault. Throws `.busy` after `lockTimeout`.
  package func withWriteLock(_ path: String, _ body: () throws -> Void) throws {
    let start = ContinuousClock.now
    guard writing.wait(timeout: .now() + lockTimeout.interval) == .success else {
      throw busy(path, "another thread of this program (process \(getpid()))")
    }
    defer { writing.signal() }
    let lock = try saying("lock") { try SecretFile(path, O_RDWR | O_CREAT) }
    var pause: UInt32 = 100
    while try !saying("lock", { try lock.tryLock() }) {
      guard ContinuousClock.now - start < lockTimeout else {
        let holder = try saying("see the lock of") { try lock.holder() }
        throw busy(path, holder.map { "the process \($0)" } ?? "another process")
      }
      // The system cannot wait for a lock with a timeout.
      usleep(pause)
      pause = min(pause * 2, 1000)
    }
    try body()
  }

  private func busy(_ path: String, _ holder: String) -> StorageError {
    .busy.with(
      "\(holder) has kept the vault locked for \(lockTimeout), so nothing was changed: check it, or end it; the lock "
        + "ends with it", place: path)
  }
}

extension Duration {
  /// The duration in Dispatch's type, which supports at most 292 years.
  fileprivate var interval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    guard seconds < Int64.max / 2_000_000_000 else { return .never }
    return .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
