#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connected socket, or one that is being connected, that never blocks. It closes when the last one lets go of it.
///
/// A class, so that no thread can write to a number that the system has given to another socket meanwhile.
final class Socket: Sendable {
  /// What became of an attempt to read or write.
  enum Outcome: Sendable, Equatable {
    case bytes(Int)
    case wouldBlock
    /// The other side has ended it.
    case ended
    /// It is of no use any more, and why.
    case failed(String)
  }

  let descriptor: CInt

  /// Begins to connect; the socket is writable when that is over. Fails with the system's `errno`.
  init(connectingTo address: SocketAddress) throws(SystemFailure) {
    #if canImport(Darwin)
      descriptor = socket(address.family, SOCK_STREAM, 0)
      if descriptor < 0 { throw SystemFailure(errno) }
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      set(SOL_SOCKET, SO_NOSIGPIPE)
    #else
      descriptor = socket(
        address.family, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      if descriptor < 0 { throw SystemFailure(errno) }
    #endif
    if address.family != AF_UNIX {
      set(CInt(IPPROTO_TCP), TCP_NODELAY)
      set(SOL_SOCKET, SO_KEEPALIVE)
    }
    let status = address.withPointer { connect(descriptor, $0, $1) }
    if status < 0, errno != EINPROGRESS { throw SystemFailure(errno) }
  }

  deinit { close(descriptor) }

  /// Throws why the connection could not be made, once the socket has become ready.
  func checkConnected() throws(SystemFailure) {
    var code: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    if code != 0 { throw SystemFailure(code) }
  }

  func read(into space: UnsafeMutableRawBufferPointer) -> Outcome {
    outcome { recv(descriptor, space.baseAddress, space.count, 0) }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    #if canImport(Darwin)
      let flags: CInt = 0
    #else
      let flags = CInt(MSG_NOSIGNAL)
    #endif
    return outcome { send(descriptor, bytes.baseAddress, bytes.count, flags) }
  }

  private func outcome(_ call: () -> Int) -> Outcome {
    while true {
      let count = call()
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .wouldBlock
      default: return .failed(SystemFailure(errno).description)
      }
    }
  }

  /// Turns an option on. Each of them makes the socket better, and none is needed.
  private func set(_ level: CInt, _ option: CInt) {
    var yes: CInt = 1
    setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<CInt>.size))
  }
}

/// A call of the system that failed.
struct SystemFailure: Error, Hashable, CustomStringConvertible {
  let code: CInt

  init(_ code: CInt) { self.code = code }

  /// The system's own words.
  var description: String { strerror(code).map { String(cString: $0) } ?? "errno \(code)" }
}
