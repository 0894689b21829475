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

/// A file, or standard input, read in blocks.
struct Input: ~Copyable {
  private let descriptor: CInt
  private let name: String
  private var block: [UInt8] = []
  private var place = 0
  /// Whether the end of the input was reached. It stays `false` if the command was interrupted first.
  private(set) var hasEnded = false

  /// Opens the file at a path, or standard input if the path is `-`.
  init(_ path: String) throws(Failure) {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      let code = errno
      let reason = strerror(code).map { String(cString: $0) } ?? "unknown error"
      throw Failure(
        code == ENOENT ? .notFound : .failed, "inputFailed", "cannot open it: \(reason)", place: name)
    }
  }

  deinit { close(descriptor) }

  /// The number of bytes that are still to be read, if the input is a file.
  var size: Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Returns the next 1 MiB, or less at the end of the input and if the command was interrupted.
  mutating func part() throws(Failure) -> Data {
    var data = Data(capacity: 1 << 20)
    while data.count < 1 << 20, try fill() { data.append(contentsOf: block) }
    return data
  }

  /// Returns the next line without its newline, or `nil` after the last line and if the command was interrupted.
  mutating func line() throws(Failure) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if place == block.count, try !fill() { return line.isEmpty || !hasEnded ? nil : line }
      let rest = block[place...]
      if let end = rest.firstIndex(of: 0x0A) {
        line += rest[..<end]
        place = end + 1
        return line
      }
      line += rest
      place = block.count
    }
  }

  /// Reads the next block. Returns `false` at the end of the input, and if the command was interrupted.
  private mutating func fill() throws(Failure) -> Bool {
    place = 0
    block = []
    while waitForInput() {
      var failed: CInt = 0
      block = [UInt8](unsafeUninitializedCapacity: 1 << 16) { [descriptor] buffer, count in
        let result = read(descriptor, buffer.baseAddress, buffer.count)
        if result < 0 { failed = errno }
        count = max(0, result)
      }
      if failed == 0 {
        hasEnded = block.isEmpty
        return !hasEnded
      }
      if failed == EINTR { continue }
      let reason = strerror(failed).map { String(cString: $0) } ?? "unknown error"
      throw Failure(.failed, "inputFailed", "cannot read it: \(reason)", place: name)
    }
    return false
  }

  /// Waits until the input has bytes or has ended. Returns `false` if the command was interrupted: a signal alone does
  /// not end `read`.
  private func waitForInput() -> Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while Signals.pending == nil {
      // The wait has a limit, since a signal just before it does not end it.
      if poll(&ready, 1, 100) > 0 { return true }
    }
    return false
  }
}
