import Foundation

/// Limits of the system on a process.
enum Limit {
  /// The size of the process's core dump.
  case dump
  /// The amount of memory it may lock.
  case lockedMemory

  /// Sets the limit permanently; a superuser may also raise it. Returns whether that was allowed.
  func set(to bytes: rlim_t) -> Bool {
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    #if canImport(Darwin)
      return setrlimit(self == .dump ? RLIMIT_CORE : RLIMIT_MEMLOCK, &limit) == 0
    #else
      return setrlimit(CInt((self == .dump ? RLIMIT_CORE : __RLIMIT_MEMLOCK).rawValue), &limit) == 0
    #endif
  }
}
