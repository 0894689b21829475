#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The output of the command. Data goes to standard output, in one of three forms; messages go to standard error.
final class Output {
  /// The forms of data.
  enum Form {
    /// For people on a terminal, and for pipes: lines.
    case text
    /// One JSON document.
    case json
    /// One JSON record a line.
    case jsonLines
  }

  let form: Form
  let isQuiet: Bool
  private var buffer: [UInt8] = []
  private var recordCount: Int?

  init(form: Form, isQuiet: Bool) {
    self.form = form
    self.isQuiet = isQuiet
  }

  /// Prints one of many records: an element of the document's array, or a line.
  func record(_ json: @autoclosure () -> JSON, text: @autoclosure () -> String) throws {
    switch form {
    case .text: try line(text())
    case .jsonLines: try line(json().compact)
    case .json:
      try write(recordCount == nil || recordCount == 0 ? "[\n" : ",\n")
      try write(json().compact)
      recordCount = (recordCount ?? 0) + 1
    }
  }

  /// Begins the records of a command, so that a document without any is an empty array.
  func beginRecords() { recordCount = 0 }

  /// Ends the records.
  func endRecords() throws {
    guard let count = recordCount else { return }
    recordCount = nil
    if form == .json { try write(count == 0 ? "[]\n" : "\n]\n") }
  }

  /// Prints the only result of a command.
  func document(_ json: @autoclosure () -> JSON, text: @autoclosure () -> String) throws {
    switch form {
    case .text: try write(text())
    case .json: try line(json().pretty)
    case .jsonLines: try line(json().compact)
    }
  }

  /// Prints a line.
  func line(_ text: String) throws { try write(text + "\n") }

  /// Prints a text.
  func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Prints bytes.
  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Writes everything that was printed and is still in memory.
  func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    try buffer.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Self.put(STDOUT_FILENO, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno == EPIPE {
          throw BrokenPipe()
        } else if errno == EAGAIN {
          var waiting = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
          poll(&waiting, 1, -1)
        } else if errno != EINTR {
          let reason = strerror(errno).map { String(cString: $0) } ?? "unknown error"
          throw Failure(.failed, "outputFailed", "cannot write the output: \(reason)")
        }
      }
    }
  }

  /// Prints a message for a person after the data so far, unless the command is to be quiet.
  func say(_ text: String) throws {
    if isQuiet { return }
    try flush()
    Self.complain(text)
  }

  /// Prints a line on standard error.
  static func complain(_ text: String) { putError(text + "\n") }

  /// Prints a text on standard error.
  static func putError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = put(STDERR_FILENO, bytes, bytes.count)
  }

  private static func put(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.write(descriptor, bytes, count)
    #else
      Glibc.write(descriptor, bytes, count)
    #endif
  }
}

/// Thrown when the program that reads the output has ended. It is no failure.
struct BrokenPipe: Error {}
