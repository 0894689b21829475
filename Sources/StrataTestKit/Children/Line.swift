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
import Dispatch
import StrataCore

/// One end of the connection between a test and its child: messages in both directions, each a line of JSON.
final class Line: Sendable {
  /// The file descriptor of the child's end.
  static let childEnd: CInt = 3

  private let file: CInt
  /// How long the other side may be silent, in milliseconds; -1 for no limit.
  private let patience: CInt
  private let isOver = Locked(false)
  private let received = Locked<[UInt8]>([])
  /// The file for sending. Locked, so that messages of several tasks do not mix.
  private let sending: Locked<CInt>

  private init(_ file: CInt, patience: CInt) {
    self.file = file
    self.patience = patience
    sending = Locked(file)
  }

  deinit { close(file) }

  /// Creates the two ends. Other processes do not inherit them.
  static func pair() throws -> (parent: Line, child: Line) {
    var ends: [CInt] = [-1, -1]
    #if os(Linux)
      let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw CannotCheck("socketpair: errno \(errno)") }
    // A store that hangs in the child must not hang the tests.
    return (Line(ends[0], patience: 120_000), Line(ends[1], patience: -1))
  }

  /// Returns the child's connection to its parent. It has no time limit, since the parent may be busy; the child ends
  /// if the parent does.
  static func toParent() -> Line { Line(childEnd, patience: -1) }

  /// The file descriptor of this end.
  var number: CInt { file }

  /// Sends a message. Throws if the other side is gone.
  func send(_ message: some Encodable) throws {
    let line = [UInt8](try JSONEncoder().encode(message)) + [0x0A]
    try sending.withLock { try Self.transmit(line, to: $0) }
  }

  private static func transmit(_ line: [UInt8], to file: CInt) throws {
    var sent = 0
    while sent < line.count {
      #if os(Linux)
        let flags = CInt(MSG_NOSIGNAL)
      #else
        let flags: CInt = 0
      #endif
      let count = line[sent...].withUnsafeBytes { systemSend(file, $0.baseAddress, $0.count, flags) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw CannotCheck("the other process is gone: errno \(errno)") }
      sent += count
    }
  }

  /// Stops waiting for messages that have not arrived yet. The connection may stay open after the other process has
  /// ended, because a process that it started may have inherited it.
  func otherSideIsGone() { isOver.withLock { $0 = true } }

  /// Ends this process as soon as the other one has ended, whatever the threads of this one do: a store may hang.
  func endProcessWithOtherSide() {
    // A queue of its own, since the check may use all threads of the others.
    DispatchQueue(label: "StrataTestKit.parent").async { [file] in
      // Without events to wait for, only the end of the connection is reported.
      var connection = pollfd(fd: file, events: 0, revents: 0)
      while poll(&connection, 1, -1) < 0 && errno == EINTR {}
      _exit(1)
    }
  }

  /// Waits for the next message. Returns `nil` when the other side has ended.
  func next<Message: Decodable & Sendable>(_ type: Message.Type) async throws -> Message? {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            try self.nextLine().map { try JSONDecoder().decode(type, from: Data($0)) }
          })
      }
    }
  }

  private func nextLine() throws -> [UInt8]? {
    while true {
      if let line = takeLine() { return line }
      let isOver = isOver.withLock { $0 }
      var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, isOver ? 0 : patience) == 0 {
        if isOver { return nil }
        throw CannotCheck("the other process sent nothing for \(patience / 1000) s")
      }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      // A killed process may reset the connection; its earlier messages have been read.
      if count <= 0 { return nil }
      received.withLock { $0.append(contentsOf: buffer[..<count]) }
    }
  }

  private func takeLine() -> [UInt8]? {
    received.withLock { received in
      guard let end = received.firstIndex(of: 0x0A) else { return nil }
      defer { received.removeSubrange(...end) }
      return Array(received[..<end])
    }
  }
}

/// Calls the system's `send`, which the method of the same name hides inside `Line`.
private func systemSend(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: CInt) -> Int {
  send(file, bytes, count, flags)
}
