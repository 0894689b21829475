#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A look at a server's address before a client connects to it. The clients of servers repeat connections until their
/// timeout, since a server may be restarting; for a command an address where nothing listens is an error at once.
enum Listener {
  /// Throws if every address of a host refuses connections to a port. Waits at most 0.3 seconds for each.
  static func expect(host: String, port: Int, _ address: String) throws(Failure) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_protocol = CInt(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    // An unknown name is the client's error.
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return }
    defer { freeaddrinfo(list) }
    var next = list
    while let info = next?.pointee {
      if failure(info.ai_family, info.ai_addr, info.ai_addrlen) != ECONNREFUSED { return }
      next = info.ai_next
    }
    throw refused("\(host):\(port)", address)
  }

  /// Throws if no server has a Unix socket open.
  static func expect(socket path: String, _ address: String) throws(Failure) {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let isShort = withUnsafeMutableBytes(of: &name.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
      return path.utf8.count < bytes.count
    }
    let code = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        failure(AF_UNIX, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if isShort, code == ECONNREFUSED || code == ENOENT { throw refused(path, address) }
  }

  private static func refused(_ place: String, _ address: String) -> Failure {
    Failure(
      .failed, "backendFailed", "no server listens at \(place)", place: address,
      advice: "start the server, or correct the address")
  }

  /// Connects, and closes the connection. Returns the error, or 0 also if there is no answer within 0.3 seconds.
  private static func failure(_ family: CInt, _ name: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = CInt(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(family, type, 0)
    if descriptor < 0 { return 0 }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    if connect(descriptor, name, length) == 0 { return 0 }
    if errno != EINPROGRESS { return errno }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&waiting, 1, 300) > 0 else { return 0 }
    var code: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code
  }
}
