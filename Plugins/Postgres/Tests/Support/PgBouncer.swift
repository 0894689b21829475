import Foundation
import StrataCore
import StrataPostgres
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// PgBouncer in transaction mode, with three connections to a server.
final class PgBouncer: Sendable {
  let port: Int
  private let server: PostgresServer
  private let process: pid_t

  /// Starts a pooler. `options` are lines of its configuration.
  init(to server: PostgresServer, _ options: String = "") async throws {
    self.server = server
    let folder = TemporaryFolder()
    (port, process) = try await onThread {
      for _ in 0..<20 {
        let port = Int.random(in: 11_000..<22_000)
        if let process = try Self.start(port, server, options, folder) { return (port, process) }
      }
      throw CannotStart(reason: "no pgbouncer came up. It said: \(Self.log(folder).text)")
    }
  }

  deinit { ServerLog.end(process, by: SIGKILL) }

  var config: PostgresConfig {
    var config = server.config
    config.port = UInt16(port)
    return config
  }

  func store(_ table: String, change: (inout PostgresConfig) -> Void) throws -> PostgresStorage<String> {
    let port = UInt16(port)
    return try server.store(table) {
      $0.port = port
      change(&$0)
    }
  }

  private static func start(
    _ port: Int, _ server: PostgresServer, _ options: String, _ folder: TemporaryFolder
  ) throws -> pid_t? {
    let file = folder.url.appending(path: "pgbouncer.ini")
    let settings = """
      [databases]
      postgres = host=127.0.0.1 port=\(server.port) user=strata password='\(PostgresServer.password)'
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = \(port)
      unix_socket_dir =
      auth_type = any
      pool_mode = transaction
      default_pool_size = 3
      \(options)
      """
    try Data(settings.utf8).write(to: file)
    // Debian installs the program in a folder that is not on an ordinary user's `PATH`.
    var environment = ProcessInfo.processInfo.environment
    environment["PATH", default: ""] += ":/usr/sbin"
    return try log(folder).start(
      PostgresServer.drop + ["env", "PATH=\(environment["PATH"] ?? "")", "pgbouncer", file.path],
      until: "process up")
  }

  private static func log(_ folder: TemporaryFolder) -> ServerLog {
    ServerLog(folder.url.appending(path: "log"))
  }
}
