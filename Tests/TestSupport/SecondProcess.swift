package import Foundation
import StrataCore
import StrataTestKit
package import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A second process of the running test: the test program, started again to run this test alone with some arguments.
package enum SecondProcess {
  private static let variable = "STRATA_TESTS_ARGUMENTS"
  private static let isTaken = Locked(false)

  /// The arguments of this process; `nil` in the process of the tests.
  package static let arguments: [String]? = ProcessInfo.processInfo.environment[variable].map {
    $0.split(separator: "\n").map(String.init)
  }

  /// Starts this test again in a second process, which finds `words` in `arguments`.
  package static func start(words: [String]) throws -> Program {
    guard let test = Test.current else { throw POSIXError(.EINVAL) }
    var environment = ProcessInfo.processInfo.environment
    environment[variable] = words.joined(separator: "\n")
    return try Program(TestProgram.arguments(toRun: test), environment: environment)
  }

  /// Runs the second process's part of the test and ends the process. Prints an error that `body` throws.
  package static func run(_ body: () async throws -> Void) async -> Never {
    // Other cases of the test reach this point too. They wait until the first one ends the process.
    let isFirst = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return !isTaken
    }
    if !isFirst { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    do { try await body() } catch {
      say("failed: \(error)")
      _exit(1)
    }
    // Exit handlers are skipped, because other cases of the test are still running.
    _exit(0)
  }

  /// Prints a line and flushes the output.
  package static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}

extension Program {
  /// The lines that the process has printed so far.
  package var lines: [String] {
    get throws { String(decoding: try printed, as: UTF8.self).split(separator: "\n").map(String.init) }
  }

  /// Waits until the process has printed a line that is wanted, and returns it; `nil` if it ends without.
  private func line(
    _ sourceLocation: SourceLocation, where isWanted: (String) -> Bool
  ) async throws -> String? {
    var failure: (any Error)?
    func found() -> String? {
      do { return try lines.first(where: isWanted) } catch {
        failure = error
        return nil
      }
    }
    await until({ found() != nil || failure != nil || !isRunning }, sourceLocation: sourceLocation)
    if let failure { throw failure }
    return found()
  }

  /// Waits until the process has printed a line.
  package func says(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let found = try await self.line(sourceLocation) { $0 == line }
    let said = try lines
    #expect(found != nil, "it said \(said.suffix(5))", sourceLocation: sourceLocation)
  }

  /// Waits until the process has printed its first line, such as the port of a server, and returns it.
  package func firstLine(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    try #require(try await line(sourceLocation) { _ in true }, sourceLocation: sourceLocation)
  }
}

/// A barrier for processes, which count themselves by marks in a file.
package struct ProcessLine: Sendable {
  private let file: URL

  package init(_ file: URL) { self.file = file }

  /// Appends a mark to the file. Marks of several processes do not overwrite each other.
  package func mark() throws {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    defer { close(descriptor) }
    guard write(descriptor, "x", 1) == 1 else { throw POSIXError(.EIO) }
  }

  /// The number of marks.
  package var count: Int { FileManager.default.contents(atPath: file.path)?.count ?? 0 }

  /// Waits until the file has a number of marks.
  package func marks(_ count: Int) async { await until { self.count >= count } }
}
