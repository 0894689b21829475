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

/// The output of a command: data on standard output, in one of three forms, and messages on standard error.
final class Output {
  /// The form in which data is printed.
  enum Form {
    /// Lines of text, or tables.
    case text
    /// One JSON document.
    case json
    /// A JSON record in each line.
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

  /// Prints one of many records: an element of the array in the JSON document, a line of JSON, or a line of text.
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

  /// Begins the records of a command. Without this call, a JSON document without records would be empty instead of
  /// `[]`.
  func beginRecords() { recordCount = 0 }

  /// Ends the records, and with them the array of the JSON document.
  func endRecords() throws {
    guard let count = recordCount else { return }
    recordCount = nil
    if form == .json { try write(count == 0 ? "[]\n" : "\n]\n") }
  }

  /// Prints the single result of a command.
  func document(_ json: @autoclosure () -> JSON, text: @autoclosure () -> String) throws {
    switch form {
    case .text: try write(text())
    case .json: try line(json().pretty)
    case .jsonLines: try line(json().compact)
    }
  }

  /// Prints a line on standard output.
  func line(_ text: String) throws { try write(text + "\n") }

  /// Prints a text on standard output.
  func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Prints bytes on standard output. They are buffered until there are 64 kB of them, or `flush` is called.
  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 1 << 16 { try flush() }
  }

  /// Prints a part of a large value on standard output, without a copy in the buffer.
  func write(_ part: Data) throws {
    try flush()
    try part.withUnsafeBytes { try Self.putAll($0) }
  }

  /// Writes the buffered output. Throws `BrokenPipe` if its reader has ended.
  func flush() throws {
    defer { buffer.removeAll(keepingCapacity: true) }
    try buffer.withUnsafeBytes { try Self.putAll($0) }
  }

  private static func putAll(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let count = put(STDOUT_FILENO, bytes.baseAddress.map { $0 + done }, bytes.count - done)
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

  /// Prints a message on standard error, after the data printed so far. Does nothing with --quiet.
  func say(_ text: String) throws {
    if isQuiet { return }
    try flush()
    Self.complain(text)
  }

  /// Prints a line on standard error, also with --quiet.
  static func complain(_ text: String) { putError(text + "\n") }

  /// Prints a text on standard error, without a newline.
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

/// The error for output whose reader has ended. The command then ends without a message.
struct BrokenPipe: Error {}
