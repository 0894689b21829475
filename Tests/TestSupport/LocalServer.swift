package import Foundation
import StrataCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An HTTP/1.1 server on a free loopback port: one thread per connection, one request per connection unless an answer
/// keeps it, and answers provided by the test.
package final class LocalServer: Sendable {
  /// A received request. Names of fields are lowercase.
  package struct Received: Sendable {
    package let method: String
    /// The text between the method and the version.
    package let target: String
    package let fields: [String: String]
    package let body: String
    /// The number of earlier requests.
    package let index: Int
  }

  package struct Answer: Sendable {
    package var status = 200
    package var fields: [(name: String, value: String)] = []
    package var body = ""
    /// The body instead of `body`, for bytes that are not text.
    package var bytes: [UInt8]?
    /// A false `Content-Length`, so that the connection ends in the middle of the body.
    package var claimedLength: Int?
    /// Sends no answer, and waits until the client disconnects.
    package var isSilent = false
    /// Sends the answer, without a `Content-Length` unless one is claimed, and waits until the client disconnects.
    package var staysOpen = false
    /// Keeps the connection for another request.
    package var isKept = false
    /// The whole response, sent instead of the other properties.
    package var raw: String?

    package init(
      status: Int = 200, fields: [(name: String, value: String)] = [], body: String = "",
      bytes: [UInt8]? = nil,
      claimedLength: Int? = nil, isSilent: Bool = false, staysOpen: Bool = false, isKept: Bool = false,
      raw: String? = nil
    ) {
      self.status = status
      self.fields = fields
      self.body = body
      self.bytes = bytes
      self.claimedLength = claimedLength
      self.isSilent = isSilent
      self.staysOpen = staysOpen
      self.isKept = isKept
      self.raw = raw
    }
  }

  private struct State {
    var received: [Received] = []
    var hangUps = 0
    var isStopped = false
  }

  package let port: Int
  private let listener: Int32
  private let state = Locked(State())
  private let answer: @Sendable (Received) -> Answer

  /// Starts a server. `answer` runs on the connection's thread and may block.
  package init(answer: @escaping @Sendable (Received) -> Answer) throws {
    self.answer = answer
    listener = try Self.check(socket(AF_INET, Self.stream, 0), "socket")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        try Self.check(bind(listener, address, length), "bind")
        try Self.check(getsockname(listener, address, &length), "getsockname")
      }
    }
    try Self.check(listen(listener, 256), "listen")
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        Thread.detachNewThread { self.serve(connection) }
      }
      close(listener)
    }
  }

  /// Stops the server: later connections are refused. Otherwise it lives as long as the process.
  package func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  /// All requests so far.
  package var received: [Received] { state.withLock { $0.received } }
  /// The number of clients that disconnected while they waited for an answer, or for its end.
  package var hangUps: Int { state.withLock { $0.hangUps } }

  package func url(_ path: String = "/") throws -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
    return url
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    while let request = receive(from: connection), send(answer(request), to: connection) {}
  }

  /// Sends an answer; returns whether the connection is kept.
  private func send(_ answer: Answer, to connection: Int32) -> Bool {
    if answer.isSilent {
      waitForHangUp(of: connection)
      return false
    }
    let body = answer.bytes ?? Array(answer.body.utf8)
    let length = answer.claimedLength ?? (answer.staysOpen ? nil : body.count)
    let text =
      answer.raw
        ?? """
        HTTP/1.1 \(answer.status) Status\r
        \(answer.isKept ? "" : "Connection: close\r\n")\
        \(length.map { "Content-Length: \($0)\r\n" } ?? "")\
        \(answer.fields.map { "\($0.name): \($0.value)\r\n" }.joined())\r

        """
    let isSent = (Array(text.utf8) + (answer.raw == nil ? body : [])).withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = bytes.baseAddress?.advanced(by: sent)
        let count = Self.send(connection, rest, bytes.count - sent)
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
    if isSent, answer.staysOpen { waitForHangUp(of: connection) }
    return isSent && answer.isKept
  }

  private func waitForHangUp(of connection: Int32) {
    _ = Self.read(from: connection)
    state.withLock { $0.hangUps += 1 }
  }

  private func receive(from connection: Int32) -> Received? {
    var text = ""
    while !text.contains("\r\n\r\n") {
      let more = Self.read(from: connection)
      if more.isEmpty { return nil }
      text += more
    }
    let parts = text.components(separatedBy: "\r\n\r\n")
    var lines = parts[0].components(separatedBy: "\r\n")
    let first = lines.removeFirst().components(separatedBy: " ")
    var fields: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
        in: .whitespaces)
    }
    var body = parts.dropFirst().joined(separator: "\r\n\r\n")
    while body.utf8.count < Int(fields["content-length"] ?? "0") ?? 0 {
      let more = Self.read(from: connection)
      if more.isEmpty { return nil }
      body += more
    }
    let finished = (fields, body)
    return state.withLock { state in
      let request = Received(
        method: first[0], target: first[1], fields: finished.0, body: finished.1, index: state.received.count)
      state.received.append(request)
      return request
    }
  }

  /// Returns the received bytes; empty at the end.
  private static func read(from connection: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &buffer, buffer.count, 0)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
  }

  @discardableResult
  private static func check(_ result: Int32, _ call: String) throws -> Int32 {
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return result
  }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static func send(_ connection: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
      Darwin.send(connection, bytes, count, 0)
    }
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static func send(_ connection: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
      Glibc.send(connection, bytes, count, Int32(MSG_NOSIGNAL))
    }
  #endif
}
