import Foundation
import StrataCore
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An encrypting proxy in front of a server without encryption. It sends each long response as records of 16 kB, except
/// the last one, of 14 200 bytes.
final class RecordProxy: Sendable {
  let port: Int
  private let log: ServerLog
  private let process: pid_t

  init(to server: PostgresServer) async throws {
    let certificates = try await Certificates.all.value
    let log = ServerLog(TemporaryFolder().url.appending(path: "log"))
    self.log = log
    let files = ["server.pem", "server.key"].map(certificates.path)
    (port, process) = try await onThread {
      for _ in 0..<20 {
        let port = Int.random(in: 11_000..<22_000)
        let words = [Python.path, "-u", "-c", Self.program, "\(port)", "\(server.port)"] + files
        if let process = try log.start(words, until: "listening") { return (port, process) }
      }
      throw CannotStart(reason: "no proxy came up. It said: \(log.text)")
    }
  }

  deinit { ServerLog.end(process, by: SIGKILL) }

  /// The number of connections so far.
  var connections: Int { log.text.split(separator: "\n").count { $0 == "accepted" } }

  private static let program = """
    import select, socket, ssl, sys, threading
    port, upstream = int(sys.argv[1]), int(sys.argv[2])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    listener = socket.create_server(("127.0.0.1", port))
    print("listening")

    def serve(plain):
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plain.recv(8)
        plain.sendall(b"S")
        client = context.wrap_socket(plain, server_side=True)
        server = socket.create_connection(("127.0.0.1", upstream))
        response, authenticated = b"", False
        while True:
            ready = [client] if client.pending() else select.select([client, server], [], [])[0]
            if client in ready:
                request = client.recv(1 << 20)
                if not request:
                    return
                server.sendall(request)
            if server in ready:
                more = server.recv(1 << 20)
                if not more:
                    return
                response += more
                # A response is complete when the server is ready for the next statement.
                complete = response.endswith(b"Z\\0\\0\\0\\5I")
                if authenticated and not complete:
                    continue
                authenticated = authenticated or complete
                last = len(response) - 14200 if len(response) > 50000 else len(response)
                for part in (response[:last], response[last:]):
                    for start in range(0, len(part), 16384):
                        client.sendall(part[start:start + 16384])
                response = b""

    while True:
        connection, _ = listener.accept()
        print("accepted")
        threading.Thread(target=serve, args=(connection,), daemon=True).start()
    """
}
