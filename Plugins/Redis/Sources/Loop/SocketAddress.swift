#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An address that the system can connect to.
struct SocketAddress: Sendable {
  let family: CInt
  private let bytes: [UInt8]

  /// A socket in the file system; `nil` if the path is too long for one.
  init?(path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(path.utf8)
    let hasRoom = withUnsafeMutableBytes(of: &address.sun_path) { space in
      // One byte stays 0, where the path ends.
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

  /// Why a name has no address.
  struct Unknown: Error { let reason: String }

  /// The addresses of a host in the order in which to try them. Asks the network, and waits for it, unless the host is
  /// given as a number; with `isNumber` it only accepts that.
  static func all(host: String, port: UInt16, isNumber: Bool) throws(Unknown) -> [SocketAddress] {
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

  /// Hands on the address as the system's calls take it.
  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var storage = sockaddr_storage()
    return withUnsafeMutableBytes(of: &storage) { space in
      space.copyBytes(from: bytes)
      // sockaddr_storage is made to hold every kind of address, and to be read as this one.
      return space.withMemoryRebound(to: sockaddr.self) { pointer in
        guard let address = pointer.baseAddress else { preconditionFailure("the address is not empty") }
        return body(address, socklen_t(bytes.count))
      }
    }
  }
}
