import Foundation
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A minimal client that blocks its thread: it accesses a server as another program would.
final class RawRedis {
  indirect enum Reply: Equatable {
    case simple(String), bulk(Data), integer(Int), null, array([Reply]), error(String)

    /// The reply as text, whatever its type.
    var text: String? {
      switch self {
      case .simple(let text), .error(let text): text
      case .bulk(let data): String(decoding: data, as: UTF8.self)
      case .integer(let number): "\(number)"
      case .null, .array: nil
      }
    }

    /// All parts of a reply that are not arrays.
    var leaves: [Reply] {
      if case .array(let parts) = self { return parts.flatMap(\.leaves) }
      return [self]
    }
  }

  private let file: UnsafeMutablePointer<FILE>
  private let socket: Int32

  init(port: Int) throws {
    socket = try Loopback.connect(to: port)
    // A server that hangs fails the test after a minute, instead of blocking it.
    var minute = timeval(tv_sec: 60, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &minute, socklen_t(MemoryLayout<timeval>.size))
    }
    guard let file = fdopen(socket, "r") else { throw CannotStart(reason: "fdopen: errno \(errno)") }
    self.file = file
  }

  deinit { fclose(file) }

  @discardableResult
  func run(_ words: String...) throws -> Reply { try run(words) }

  func run(_ words: [String]) throws -> Reply { try run(words.map { Data($0.utf8) }) }

  /// Sends one command and waits for its reply.
  func run(_ words: [Data]) throws -> Reply {
    var bytes = Data("*\(words.count)\r\n".utf8)
    for word in words { bytes += Data("$\(word.count)\r\n".utf8) + word + Data("\r\n".utf8) }
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Loopback.noSignal) }
      guard count > 0 else { throw CannotStart(reason: "the server does not listen: errno \(errno)") }
      bytes.removeFirst(count)
    }
    return try reply()
  }

  private func reply() throws -> Reply {
    let line = try line()
    let rest = String(line.dropFirst())
    switch line.first {
    case "+": return .simple(rest)
    case "-": return .error(rest)
    case ":": return .integer(Int(rest) ?? 0)
    case "$":
      guard let count = Int(rest), count >= 0 else { return .null }
      return .bulk(try read(count + 2).dropLast(2))
    case "*":
      guard let count = Int(rest), count >= 0 else { return .null }
      return .array(try (0..<count).map { _ in try reply() })
    default: throw CannotStart(reason: "no reply: \(String(reflecting: line))")
    }
  }

  private func line() throws -> String {
    var line: [UInt8] = []
    while true {
      let byte = getc(file)
      guard byte >= 0 else {
        throw CannotStart(reason: "the server hung up, or says nothing: errno \(errno)")
      }
      if byte == 10 { break }
      line.append(UInt8(byte))
    }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  private func read(_ count: Int) throws -> Data {
    var data = Data(count: count)
    let read = data.withUnsafeMutableBytes { fread($0.baseAddress, 1, count, file) }
    guard read == count else { throw CannotStart(reason: "the server hung up") }
    return data
  }
}
