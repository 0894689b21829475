package import Foundation
import StrataCore
import StrataTestKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that runs beside the tests, and what it prints.
package final class Program: Sendable {
  /// How it ended.
  package enum End: Hashable, Sendable {
    case exit(CInt)
    case signal(CInt)
  }

  package let process: pid_t
  private let log: FileHandle
  private let end = Locked(End?.none)

  /// Starts a program, found as a shell finds it, that reads `input`.
  package init(
    _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    input: Data = Data()
  ) throws {
    let given = try Self.file()
    try given.write(contentsOf: input)
    try given.seek(toOffset: 0)
    let log = try Self.file()
    self.log = log
    process = try withExtendedLifetime(given) {
      try spawn(
        words, environment: environment,
        files: [(given.fileDescriptor, 0), (log.fileDescriptor, 1), (log.fileDescriptor, 2)])
    }
  }

  /// Runs a program, and returns what it printed and how it ended.
  package static func run(
    _ words: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
    input: Data = Data()
  ) throws -> (end: End, printed: Data) {
    let program = try Program(words, environment: environment, input: input)
    return (program.wait(), try program.printed)
  }

  /// A file without a name, closed for other programs.
  private static func file() throws -> FileHandle {
    var name = Array("\(FileManager.default.temporaryDirectory.path)/strata-program-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// All that it has printed so far.
  package var printed: Data {
    get throws {
      var status = stat()
      guard fstat(log.fileDescriptor, &status) == 0 else { throw POSIXError(.EIO) }
      var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
      let count = pread(log.fileDescriptor, &bytes, bytes.count, 0)
      return Data(bytes.prefix(max(count, 0)))
    }
  }

  package func signal(_ number: CInt) { send(number, to: process) }

  package var isRunning: Bool { look(WNOHANG) == nil }

  /// How long a program may take: some minutes, and longer where random rounds are repeated.
  package static let limit: Duration = Soak.isOn ? .seconds(4 * 3600) : .seconds(300)

  /// Blocks until it has ended. If it does not within the limit, it is killed, and what it printed says so.
  @discardableResult
  package func wait(limit: Duration = Program.limit) -> End {
    let last = ContinuousClock.now + limit
    var pause: useconds_t = 100
    while true {
      if let end = look(WNOHANG) { return end }
      if ContinuousClock.now > last { break }
      usleep(pause)
      pause = min(2 * pause, 10_000)
    }
    signal(SIGKILL)
    let note = "\nIt did not end within \(limit), and was killed.\n"
    // Whoever looks at how it ended sees that it failed, whether this can be written or not.
    do { try log.write(contentsOf: Data(note.utf8)) } catch { print(note) }
    return look(0) ?? .signal(SIGKILL)
  }

  /// Under the lock, because a process that was waited for is gone, and its number may be another's.
  private func look(_ options: CInt) -> End? {
    end.withLock { end in
      var status: CInt = 0
      while end == nil {
        let result = waitpid(process, &status, options)
        if result == -1, errno == EINTR { continue }
        guard result == process else { break }
        end = status & 0x7f == 0 ? .exit(status >> 8 & 0xff) : .signal(status & 0x7f)
      }
      return end
    }
  }
}
