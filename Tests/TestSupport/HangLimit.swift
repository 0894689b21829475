import Dispatch
import StrataCore
package import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends the test run when a test case has not ended in time, and names the test case.
///
/// Swift Testing's own time limit cancels the test's task and then waits for the test, so that a test blocked by a
/// thread, program or server would still block the whole run.
package struct HangLimit: TestTrait, SuiteTrait, TestScoping {
  let limit: Duration

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let watch = DispatchSource.makeTimerSource(queue: .global())
    watch.setEventHandler { giveUp(on: test) }
    watch.schedule(deadline: .now() + .milliseconds(Int(limit / .milliseconds(1))))
    watch.resume()
    defer { watch.cancel() }
    try await function()
  }

  /// Ends the process without its exit handlers, which might wait for the test too.
  private func giveUp(on test: Test) -> Never {
    let place = test.sourceLocation
    let line =
      "✘ \(test.id) (\(place.fileID):\(place.line)) has not ended after \(limit): the run is given up.\n"
    let bytes = Array(line.utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    _exit(1)
  }
}

extension Trait where Self == HangLimit {
  /// Each test case must end within five minutes, or the run ends. In `make soak`, whose tests are long, the limit is a
  /// day.
  package static var endsInTime: Self { .ends(within: Soak.isOn ? .seconds(86_400) : .seconds(300)) }

  /// Each test case must end within a time, or the run ends.
  package static func ends(within limit: Duration) -> Self { HangLimit(limit: limit) }
}
