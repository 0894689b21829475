#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif

/// Loopback sockets for the tests.
package enum Loopback {
  #if canImport(Darwin)
    package static let noSignal: Int32 = 0
    private static let stream = SOCK_STREAM
  #else
    package static let noSignal = Int32(MSG_NOSIGNAL)
    private static let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  #endif

  /// Returns a new socket that child processes do not inherit.
  package static func socket() -> Int32 {
    #if canImport(Darwin)
      let made = Darwin.socket(AF_INET, stream, 0)
      _ = fcntl(made, F_SETFD, FD_CLOEXEC)
      setOption(made, SOL_SOCKET, SO_NOSIGPIPE)
    #else
      let made = Glibc.socket(AF_INET, stream, 0)
    #endif
    precondition(made >= 0, "no socket for the tests: errno \(errno)")
    return made
  }

  package static func withAddress<R>(port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Connects to a port. Throws if no process listens there.
  package static func connect(to port: Int) throws -> Int32 {
    let socket = socket()
    let result = withAddress(port: port) { address, length in
      #if canImport(Darwin)
        Darwin.connect(socket, address, length)
      #else
        Glibc.connect(socket, address, length)
      #endif
    }
    guard result == 0 else {
      let reason = String(cString: strerror(errno))
      close(socket)
      throw CannotStart(reason: "no connection to port \(port): \(reason)")
    }
    setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY)
    return socket
  }

  /// Returns a listening socket, and its port.
  package static func listener() -> (socket: Int32, port: Int) {
    let socket = socket()
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withAddress(port: 0) { bind(socket, $0, $1) } == 0 && listen(socket, 256) == 0
    let isNamed =
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
      } == 0
    precondition(isBound && isNamed, "nobody can listen on the loopback: errno \(errno)")
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  package static func setOption(_ socket: Int32, _ level: Int32, _ option: Int32) {
    var yes: Int32 = 1
    setsockopt(socket, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Shuts a connection down: waiting reads return. When it is closed, the peer sees an error instead of an end.
  package static func reset(_ socket: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    shutdown(socket, Int32(SHUT_RDWR))
  }
}
