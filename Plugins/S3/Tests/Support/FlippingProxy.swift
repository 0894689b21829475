import Foundation
import StrataCore

#if canImport(Glibc)
  import Glibc

  /// A proxy in front of a server, which changes one bit of each marker that passes.
  final class FlippingProxy: Sendable {
    enum Way { case up, down }

    /// Bytes that nothing else contains.
    static let marker = Data(repeating: 0x5a, count: 4096)
    /// So many of the marker's bytes in a row are taken for the marker.
    private static let shown = 64

    let port: Int
    private let listener: CInt
    private let way = Locked<Way?>(nil)
    private let flips = Locked(0)

    /// How many bits were changed.
    var flipped: Int { flips.withLock { $0 } }

    init(to target: Int) throws {
      listener = Self.socket()
      var address = Self.address(0)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = listener
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) | getsockname(descriptor, $0, &length) | listen(descriptor, 64)
        }
      }
      guard result == 0 else { throw POSIXError(.EADDRINUSE) }
      port = Int(UInt16(bigEndian: address.sin_port))
      Thread.detachNewThread { [self] in
        while case let client = accept(listener, nil, nil), client >= 0 { serve(client, target) }
        close(listener)
      }
    }

    /// Changes what passes in this direction during `body`.
    func flipping<R>(_ direction: Way, _ body: () async throws -> R) async throws -> R {
      way.withLock { $0 = direction }
      defer { way.withLock { $0 = nil } }
      return try await body()
    }

    func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

    private func serve(_ client: CInt, _ target: Int) {
      let server = Self.socket()
      var address = Self.address(target)
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result != 0 { shutdown(client, CInt(SHUT_RDWR)) }
      Thread.detachNewThread {
        let isSent = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          self.pass(.up, from: client, to: server)
          isSent.signal()
        }
        self.pass(.down, from: server, to: client)
        isSent.wait()
        close(client)
        close(server)
      }
    }

    private func pass(_ direction: Way, from source: CInt, to target: CInt) {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
        if way.withLock({ $0 == direction }), let place = Self.place(in: buffer[..<count]) {
          buffer[place] ^= 1
          flips.withLock { $0 += 1 }
        }
        var sent = 0
        while sent < count {
          let more = buffer.withUnsafeBytes {
            send(target, $0.baseAddress.map { $0 + sent }, count - sent, CInt(MSG_NOSIGNAL))
          }
          if more <= 0 { break }
          sent += more
        }
        if sent < count { break }
      }
      shutdown(target, CInt(SHUT_RDWR))
      shutdown(source, CInt(SHUT_RDWR))
    }

    private static func place(in bytes: ArraySlice<UInt8>) -> Int? {
      var run = 0
      for index in bytes.indices {
        run = bytes[index] == marker[0] ? run + 1 : 0
        if run == shown { return index }
      }
      return nil
    }

    private static func socket() -> CInt {
      Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func address(_ port: Int) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      return address
    }
  }
#endif
