import Foundation

/// Whether a sanitizer watches the memory of this process: it has signals and dumps in its own hands.
enum Sanitizer {
  static let isOn = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
