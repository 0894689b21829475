#if os(Linux)
  import Dispatch
  import Foundation
  import TestSupport
  import Testing

  /// A test that never ends stops the run, and is named.
  @Suite("A test that hangs") struct HangLimitTests {
    private static let variable = "STRATA_TEST_HANGS"
    private static let isSecondProcess = ProcessInfo.processInfo.environment[variable] != nil

    @Test("runs in a separate process", .enabled(if: isSecondProcess), .ends(within: .milliseconds(10)))
    func hangs() { DispatchSemaphore(value: 0).wait() }

    @Test("ends that process, and is named", .endsInTime) func isNamed() async throws {
      var environment = ProcessInfo.processInfo.environment
      environment[Self.variable] = "yes"
      let words = [
        "/proc/self/exe", "--testing-library", "swift-testing", "--filter", "HangLimitTests/hangs",
      ]
      let (end, printed) = try await onThread { [environment] in
        try Program.run(words, environment: environment)
      }
      let said = String(decoding: printed, as: UTF8.self)
      #expect(end == .exit(1), "\(said)")
      #expect(said.contains("hangs()") && said.contains("the run is given up"), "\(said)")
    }

    @Test("a program that does not end fails its test, and is killed", .endsInTime) func program()
      async throws
    {
      let program = try Program(["sh", "-c", "echo started; exec sleep 1000"])
      withKnownIssue {
        let end = program.wait(limit: .zero)
        #expect(end == .signal(SIGKILL))
      } matching: {
        $0.comments.contains { $0.rawValue.contains("has not ended") && $0.rawValue.contains("sleep 1000") }
      }
    }
  }
#endif
