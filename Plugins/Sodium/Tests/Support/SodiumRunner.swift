import Foundation
import TestSupport

/// The program `SodiumRunner`, which runs tasks that need a separate process: dying, or exhausting memory. It is built
/// with the tests.
enum SodiumRunner {
  static var path: String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "SodiumRunner").path
  }

  /// glibc returns the memory of large blocks at once, as it does by default for the first ones only: what the program
  /// measures is then what it holds, without the holes of a heap.
  static func run(_ words: String..., input: Data = Data()) throws -> (end: Program.End, printed: Data) {
    var environment = ProcessInfo.processInfo.environment
    environment["MALLOC_MMAP_THRESHOLD_"] = "262144"
    return try Program.run([path] + words, environment: environment, input: input)
  }
}
