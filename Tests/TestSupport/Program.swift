package import Foundation
import StrataCore
import StrataTestKit
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that runs alongside the tests, with its output.
package final class Program: Sendable {
  /// The way in which a program ended.
  package enum End: Hashable, Sendable {
    case exit(CInt)
    case signal(CInt)
  }

  package let process: pid_t
  private let name: String
  private let log: FileHandle
  private let end = Locked(End?.none)

  /// Starts a program, found through `PATH`, with `input` as its standard input.
  package init(
    _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    input: Data = Data()
  ) throws {
    let given = try Self.file()
    try given.write(contentsOf: input)
    try given.seek(toOffset: 0)
    let log = try Self.file()
    self.log = log
    name = words.joined(separator: " ")
    process = try withExtendedLifetime(given) {
      try spawn(
        words, environment: environment,
        files: [(given.fileDescriptor, 0), (log.fileDescriptor, 1), (log.fileDescriptor, 2)])
    }
  }

  /// Runs a program, and returns its output and how it ended. Fails the test as `wait` does.
  package static func run(
    _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    input: Data = Data()
  ) throws -> (end: End, printed: Data) {
    let program = try Program(words, environment: environment, input: input)
    return (program.wait(), try program.printed)
  }

  /// Creates a file without a name, which other programs do not inherit.
  private static func file() throws -> FileHandle {
    var name = Array("\(FileManager.default.temporaryDirectory.path)/strata-program-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The output so far.
  package var printed: Data {
    get throws {
      var status = stat()
      guard fstat(log.fileDescriptor, &status) == 0 else { throw POSIXError(.EIO) }
      var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
      let count = pread(log.fileDescriptor, &bytes, bytes.count, 0)
      return Data(bytes.prefix(max(count, 0)))
    }
  }

  /// The end of the output, for messages.
  private var said: String {
    do { return String(decoding: try printed.suffix(2000), as: UTF8.self) } catch {
      return "nothing that can be read (\(error))"
    }
  }

  package func signal(_ number: CInt) { send(number, to: process) }

  package var isRunning: Bool { look(WNOHANG) == nil }

  /// Blocks until the program has ended. After the limit, kills it and fails the test.
  @discardableResult
  package func wait(limit: Duration = .seconds(Soak.isOn ? 3600 : 180)) -> End {
    let start = ContinuousClock.now
    while true {
      if let end = look(WNOHANG) { return end }
      let waited = ContinuousClock.now - start
      if waited > limit { break }
      // Most programs end soon.
      usleep(waited < .milliseconds(50) ? 200 : 2000)
    }
    signal(SIGKILL)
    Issue.record("\(name) has not ended after \(limit), and was killed. It said: \(said)")
    while true {
      if let end = look(0) { return end }
    }
  }

  /// Called with the lock held: once a process has been waited for, its number may belong to another one.
  private func look(_ options: CInt) -> End? {
    end.withLock { end in
      var status: CInt = 0
      if end == nil, waitpid(process, &status, options) == process {
        end = status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
      }
      return end
    }
  }
}
