import Foundation

/// A port of this machine. Nothing listens on it; or a listener that accepts no connection, so that clients wait; or
/// one that answers each request with a page.
final class TestSocket: Sendable {
  let port: UInt16
  private let descriptor: CInt

  init(isListening: Bool = false) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &name) { [descriptor] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound, !isListening || listen(descriptor, 16) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    port = UInt16(bigEndian: name.sin_port)
  }

  deinit { close(descriptor) }

  /// Answers each request with the next page, in a thread of its own, until `page` returns `nil`: then with status 503.
  func serve(_ page: @escaping @Sendable () -> String?) {
    Thread.detachNewThread { [descriptor] in
      while true {
        let client = accept(descriptor, nil, nil)
        if client < 0 { return }
        var request = [UInt8](repeating: 0, count: 4096)
        _ = read(client, &request, request.count)
        let body = page()
        let status = body == nil ? "503 Service Unavailable" : "200 OK"
        let length = body?.utf8.count ?? 0
        let head = "HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n"
        let answer = Array((head + (body ?? "")).utf8)
        _ = send(client, answer, answer.count, CInt(MSG_NOSIGNAL))
        close(client)
      }
    }
  }
}
