import Foundation

/// Whether a sanitizer checks this process. It then controls signals, core dumps and memory locking.
package enum Sanitizer {
  package static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
