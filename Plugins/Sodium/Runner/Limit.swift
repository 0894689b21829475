import Foundation

/// What the system lets a process have.
enum Limit {
  /// How large a file its memory may leave when it dies.
  case dump
  /// How much memory it may lock.
  case lockedMemory

  /// Sets the limit for good; a superuser may raise it too. Returns whether that was allowed.
  func set(to bytes: rlim_t) -> Bool {
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    #if canImport(Darwin)
      return setrlimit(self == .dump ? RLIMIT_CORE : RLIMIT_MEMLOCK, &limit) == 0
    #else
      return setrlimit(CInt((self == .dump ? RLIMIT_CORE : __RLIMIT_MEMLOCK).rawValue), &limit) == 0
    #endif
  }
}
