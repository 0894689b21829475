import Foundation
import TestSupport

/// The program `SodiumRunner`, which runs tasks that need a separate process: dying, or exhausting memory. It is built
/// with the tests.
enum SodiumRunner {
  static var path: String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "SodiumRunner").path
  }

  static func run(_ words: String..., input: Data = Data()) throws -> (end: Program.End, printed: Data) {
    try Program.run([path] + words, input: input)
  }
}
