import Foundation

struct Failure: Error { let reply: String }

/// A connection, used by one call at a time, on a thread that may block.
final class Connection: Sendable {
  private let (host, port): (String, UInt16)
  private let queue = DispatchQueue(label: "memcached")
  nonisolated(unsafe) private var replies: Replies?  // Used only on the queue.

  init(_ host: String, _ port: UInt16) { (self.host, self.port) = (host, port) }

  /// Sends requests, and reads a reply to each. `read` is called with the first line of each reply.
  func ask<R: Sendable>(
    _ requests: [Data], _ read: @escaping @Sendable (String, Replies) throws -> R
  ) async throws -> [R] {
    // Not `Data(requests.joined())`, which copies a value byte by byte.
    let bytes = requests.reduce(into: Data()) { $0.append($1) }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.exchange(bytes, requests.count, read) })
      }
    }
  }

  private func exchange<R>(_ bytes: Data, _ count: Int, _ read: (String, Replies) throws -> R) throws -> [R] {
    let replies = try self.replies ?? Replies(host, port)
    // Closes the connection: after a failure, the rest of a reply would be read as the reply to the next request.
    self.replies = nil
    let sent = bytes.withUnsafeBytes {
      send(fileno(replies.stream), $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard sent == bytes.count else { throw Failure(reply: String(cString: strerror(errno))) }
    let results = try (0..<count).map { _ in try read(replies.line(), replies) }
    self.replies = replies
    return results
  }
}

/// The replies of the server, read line by line.
final class Replies {
  let stream: UnsafeMutablePointer<FILE>

  init(_ host: String, _ port: UInt16) throws {
    var (list, limit): (UnsafeMutablePointer<addrinfo>?, timeval) = (nil, timeval(tv_sec: 10, tv_usec: 0))
    defer { if let list { freeaddrinfo(list) } }
    guard getaddrinfo(host, "\(port)", nil, &list) == 0, let found = list?.pointee else {
      throw Failure(reply: "no such host")
    }
    let file = socket(found.ai_family, found.ai_socktype, found.ai_protocol)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(file, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    guard connect(file, found.ai_addr, found.ai_addrlen) == 0, let stream = fdopen(file, "r") else {
      defer { close(file) }
      throw Failure(reply: String(cString: strerror(errno)))
    }
    self.stream = stream
  }

  deinit { fclose(stream) }

  func line() throws -> String {
    var (line, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    defer { free(line) }
    guard getline(&line, &size, stream) > 0, let line else { throw Failure(reply: "none") }
    return String(cString: line).trimmingCharacters(in: .newlines)
  }

  func bytes(_ count: Int) throws -> Data {
    var bytes = Data(count: count)
    guard bytes.withUnsafeMutableBytes({ fread($0.baseAddress, 1, count, stream) }) == count,
      try line().isEmpty
    else {
      throw Failure(reply: "cut off")
    }
    return bytes
  }
}
