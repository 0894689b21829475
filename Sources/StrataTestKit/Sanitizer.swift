#if os(Linux)
  import Glibc
#endif

/// Whether a sanitizer checks this process. It then controls signals, core dumps, memory locking and the release of
/// memory.
package enum Sanitizer {
  #if os(Linux)
    package static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  #else
    package static let isOn = false
  #endif
}
