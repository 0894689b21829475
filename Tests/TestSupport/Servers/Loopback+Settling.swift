import Foundation

extension Loopback {
  /// Waits until a server has closed the connections whose clients are gone: it may still read and execute requests of
  /// a process that was killed. On Linux only; elsewhere it returns at once.
  package static func settled(ports: [Int]) async throws {
    #if os(Linux)
      try await eventually { try !halfClosed().contains { ports.contains($0) } }
    #endif
  }

  #if os(Linux)
    /// The ports of sockets whose peer has closed the connection, and whose own program has not.
    private static func halfClosed() throws -> [Int] {
      let closeWait = "08"
      return try ["/proc/net/tcp", "/proc/net/tcp6"].filter(FileManager.default.fileExists).flatMap { table in
        // A line has a number, the local address and port, those of the peer, and the state.
        try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n").dropFirst().compactMap {
          line in
          let columns = line.split(separator: " ")
          guard columns.count > 3, columns[3] == closeWait else { return nil }
          return columns[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
        }
      }
    }
  #endif
}
