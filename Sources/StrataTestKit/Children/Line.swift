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

/// One end of the line between a test and its child: messages both ways, each a line of JSON.
final class Line: Sendable {
  /// The child's end, among its open files.
  static let childEnd: CInt = 3

  private let file: CInt
  /// How long the other side may stay silent, in milliseconds; -1 for as long as it lives.
  private let patience: CInt
  private let isOver = Locked(false)
  private let received = Locked<[UInt8]>([])
  /// The file, for whoever sends: one at a time, so that messages of several tasks do not mix.
  private let sending: Locked<CInt>

  private init(_ file: CInt, patience: CInt) {
    self.file = file
    self.patience = patience
    sending = Locked(file)
  }

  deinit { close(file) }

  /// Two ends; neither is passed on to other processes.
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

  /// The line of a child to its parent, which may have much else to do: its end is the end of the child.
  static func toParent() -> Line { Line(childEnd, patience: -1) }

  /// The number of this end among the open files.
  var number: CInt { file }

  /// Sends a message, at once; throws if the other side is gone.
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

  /// Lets nobody wait for more than what has come. The line itself may not end with the process at its other side: what
  /// that one started may have it open.
  func otherSideIsGone() { isOver.withLock { $0 = true } }

  /// Waits for the next message; `nil` when the other side has ended.
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
        throw CannotCheck("the other process said nothing for \(patience / 1000) s")
      }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      // A process that was killed may reset the line; what it said before has been read.
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

/// `send` of the system, which inside `Line` is hidden by its own.
private func systemSend(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: CInt) -> Int {
  send(file, bytes, count, flags)
}
