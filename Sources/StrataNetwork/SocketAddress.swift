#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A network or Unix socket address.
package struct SocketAddress: Sendable {
  package let family: CInt
  private let bytes: [UInt8]

  /// Creates the address of a Unix socket; `nil` if the path is too long or invalid.
  package init?(path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(path.utf8)
    let hasRoom = withUnsafeMutableBytes(of: &address.sun_path) { space in
      // One byte remains for the terminating 0.
      guard path.count < space.count, !path.isEmpty, !path.contains(0) else { return false }
      space.copyBytes(from: path)
      return true
    }
    guard hasRoom else { return nil }
    family = AF_UNIX
    bytes = withUnsafeBytes(of: &address) { Array($0) }
  }

  private init(_ info: addrinfo) {
    family = info.ai_family
    bytes = Array(UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
  }

  /// The error for a name that could not be resolved, with the reason.
  package struct Unknown: Error { package let reason: String }

  /// Returns the addresses of a host in the order in which to try them. May wait for the network, unless the host is an
  /// IP address. With `isNumber`, accepts only an IP address.
  package static func all(host: String, port: UInt16, isNumber: Bool) throws(Unknown) -> [SocketAddress] {
    var hints = addrinfo()
    #if canImport(Darwin)
      hints.ai_socktype = SOCK_STREAM
    #else
      hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    #endif
    hints.ai_flags = AI_NUMERICSERV | (isNumber ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else { throw Unknown(reason: String(cString: gai_strerror(status))) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let info = next?.pointee {
      addresses.append(SocketAddress(info))
      next = info.ai_next
    }
    return addresses
  }

  /// Calls `body` with the address in the form that system calls require.
  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var storage = sockaddr_storage()
    return withUnsafeMutableBytes(of: &storage) { space in
      space.copyBytes(from: bytes)
      // `sockaddr_storage` is large enough for every kind of address, and may be accessed as a `sockaddr`.
      return space.withMemoryRebound(to: sockaddr.self) { pointer in
        guard let address = pointer.baseAddress else { preconditionFailure("the address is not empty") }
        return body(address, socklen_t(bytes.count))
      }
    }
  }
}
