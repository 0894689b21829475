import Foundation

/// Whether a sanitizer watches the memory of this process: it has signals, dumps and the locking of memory in its own
/// hands.
package enum Sanitizer {
  package static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
