#if os(Linux)
  import Foundation
  import TestSupport

  /// The program `DiskFaultRunner`, which can make each system call of a store fail. It is built with the tests.
  enum FaultRunner {
    /// Whether all rounds run, as in `make soak`, instead of a sample.
    static let isThorough = Soak.isOn

    /// Whether the program can make system calls fail, which it cannot with a sanitizer.
    static let isAvailable: Bool = {
      // If the program is missing, the tests run and fail.
      do { return try Program.run([program]).end != .exit(2) } catch { return true }
    }()

    private static var program: String {
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "DiskFaultRunner").path
    }

    /// Runs the program in its own folder. Returns the lines that it has printed.
    static func run(_ arguments: String...) async throws -> (end: Program.End, lines: [String]) {
      let folder = TemporaryFolder()
      return try await onThread {
        let (end, printed) = try Program.run([program, folder.url.path] + arguments)
        return (end, String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init))
      }
    }

    /// Runs a scenario with a fault at each call in turn, or at every `stride`-th call. Returns the number of rounds
    /// and the violations found.
    static func run(_ scenario: String, _ fault: String, stride: Int) async throws -> (
      rounds: Int, violations: [String]
    ) {
      let stride = isThorough ? 1 : stride
      // Each run of the tests tries other calls.
      let first = 1 + Int((Soak.seed &+ UInt64(scenario.utf8.count + fault.utf8.count)) % UInt64(stride))
      let (end, lines) = try await run(scenario, fault, "\(first)", "\(stride)")
      let last = lines.last ?? ""
      guard let rounds = Int(last.dropFirst("rounds: ".count)), end == .exit(lines.count == 1 ? 0 : 1) else {
        return (0, lines + ["it ended with \(end)"])
      }
      return (rounds, lines.dropLast())
    }
  }
#endif
