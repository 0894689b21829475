#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import StrataCore

/// A non-blocking socket that is connected or connecting. It closes when its last reference is released.
///
/// It is a class, so that no thread can write to a descriptor that the system has reused for another socket.
package final class Socket: Sendable {
  /// The outcome of an attempt to read or write.
  package enum Outcome: Sendable, Equatable {
    case bytes(Int)
    case wouldBlock
    /// The peer has closed the connection.
    case ended
    /// The call failed permanently, with the reason.
    case failed(String)
  }

  package let descriptor: CInt

  /// Starts to connect. The socket becomes writable when the connection is established or has failed. Throws the
  /// system's `errno`.
  package init(connectingTo address: SocketAddress) throws(SystemFailure) {
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

  /// Throws if the connection failed. Call it once the socket is ready.
  package func checkConnected() throws(SystemFailure) {
    var code: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    if code != 0 { throw SystemFailure(code) }
  }

  package func read(into space: UnsafeMutableRawBufferPointer) -> Outcome {
    outcome { recv(descriptor, space.baseAddress, space.count, 0) }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
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

  /// Turns on an option. Failures are ignored, since the options only improve performance.
  private func set(_ level: CInt, _ option: CInt) {
    var yes: CInt = 1
    setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<CInt>.size))
  }
}

/// A failed system call.
package struct SystemFailure: Error, Hashable, CustomStringConvertible {
  package let code: CInt

  package init(_ code: CInt) { self.code = code }

  /// The system's message.
  package var description: String { systemReason(code) }
}
