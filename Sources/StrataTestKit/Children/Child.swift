#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import StrataCore
import Testing

/// A second process of the running test: the test program, started again to run this test alone.
final class Child: Sendable {
  private let process: pid_t
  private let line: Line
  private let log: URL
  /// Locked, since after `waitpid` the process number may belong to another process.
  private let isThere = Locked(true)

  init(_ assignment: Assignment, log: URL) throws {
    guard let test = Test.current else {
      throw CannotCheck("a promise that needs a second process can only be checked in a test")
    }
    let (line, childLine) = try Line.pair()
    var environment = ProcessInfo.processInfo.environment
    environment[Assignment.variable] = String(decoding: try JSONEncoder().encode(assignment), as: UTF8.self)
    self.line = line
    self.log = log
    process = try withExtendedLifetime(childLine) {
      try Self.start(TestProgram.arguments(toRun: test), environment, line: childLine.number, log: log)
    }
  }

  private static func start(
    _ arguments: [String], _ environment: [String: String], line: CInt, log: URL
  ) throws -> pid_t {
    let files = (
      open("/dev/null", O_RDONLY | O_CLOEXEC),
      open(log.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    )
    defer {
      close(files.0)
      close(files.1)
    }
    do {
      return try spawn(
        arguments, environment: environment,
        files: [(files.0, 0), (files.1, 1), (files.1, 2), (line, Line.childEnd)])
    } catch let failure as SpawnFailure {
      throw CannotCheck("the program of the tests cannot be started again: errno \(failure.number)")
    }
  }

  /// Returns the child's next report, or `nil` when it has ended. Throws a failure that the child reports.
  func report() async throws -> Report? {
    let report = try await line.next(Report.self)
    switch report {
    case .broken(let explanation): throw BrokenByChild(explanation: explanation)
    case .failed(let explanation): throw CannotCheck(explanation)
    default: return report
    }
  }

  /// Waits until the child has begun its part of the check.
  func ready() async throws {
    guard let first = try await report() else {
      throw CannotCheck(
        "the second process of the test did not start the check: \(outcome); its output: \(said)")
    }
    guard first == .ready else { throw CannotCheck("the second process began with \(first)") }
  }

  /// How the process ended that has closed its end of the line, for a message.
  private var outcome: String {
    isThere.withLock { isThere in
      guard isThere else { return "it was killed" }
      isThere = false
      let status = waitForEnd()
      return status & 0x7f == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
    }
  }

  /// Waits for the end of the process, which must be there, and returns its status.
  private func waitForEnd() -> CInt {
    var status: CInt = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    return status
  }

  /// Sends an order to the child and waits for the answer.
  func ask(_ order: Order) async throws -> Report { try await answer(to: order) }

  /// Sends an order of any kind to the child and waits for the answer.
  func answer(to order: some Encodable) async throws -> Report {
    try line.send(order)
    guard let answer = try await report() else {
      throw CannotCheck("the second process of the test died: \(outcome); its output: \(said)")
    }
    return answer
  }

  /// Kills the process with `SIGKILL`, if it is still running, and waits for its end. Its earlier reports can still be
  /// read.
  func kill() {
    isThere.withLock { isThere in
      if !isThere { return }
      send(SIGKILL, to: process)
      _ = waitForEnd()
      isThere = false
    }
    line.otherSideIsGone()
  }

  /// Waits until the process has ended by itself. Its earlier reports can still be read.
  func end() async throws {
    func isRunning() -> Bool {
      isThere.withLock { isThere in
        var status: CInt = 0
        if isThere && waitpid(process, &status, WNOHANG) == process { isThere = false }
        return isThere
      }
    }
    while isRunning() { try await Task.sleep(for: .milliseconds(1)) }
    line.otherSideIsGone()
  }

  /// The last 2000 bytes of the process's output.
  var said: String {
    do { return String(decoding: try Data(contentsOf: log).suffix(2000), as: UTF8.self) } catch {
      return "nothing (\(error))"
    }
  }
}

/// Thrown if a promise is broken in a second process.
struct BrokenByChild: Error { let explanation: String }
