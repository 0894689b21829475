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

  init(to server: PostgresServer) async throws {
    self.server = server
    let folder = TemporaryFolder()
    (port, process) = try await onThread {
      for _ in 0..<20 {
        let port = Int.random(in: 11_000..<22_000)
        if let process = try Self.start(port, server, folder) { return (port, process) }
      }
      throw CannotStart(reason: "no pgbouncer came up. It said: \(Self.log(folder))")
    }
  }

  deinit {
    send(SIGKILL, to: process)
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    Watchdog.shared.leave(process)
  }

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

  private static func start(_ port: Int, _ server: PostgresServer, _ folder: TemporaryFolder) throws -> pid_t?
  {
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
      """
    try Data(settings.utf8).write(to: file)
    // Debian's program is in a folder for the administrator.
    var environment = ProcessInfo.processInfo.environment
    environment["PATH", default: ""] += ":/usr/sbin"
    let drop = PostgresServer.drop
    let log = folder.url.appending(path: "log")
    try Data().write(to: log)
    let watchdog = Watchdog.shared
    let process = try spawn(
      drop + ["env", "PATH=\(environment["PATH"] ?? "")", "pgbouncer", file.path], output: log)
    watchdog.watch(process)
    let end = ContinuousClock.now + .seconds(60)
    while !Self.log(folder).contains("process up") {
      var status: Int32 = 0
      let isOver = waitpid(process, &status, WNOHANG) == process
      if isOver || ContinuousClock.now > end {
        if !isOver {
          send(SIGKILL, to: process)
          waitpid(process, &status, 0)
        }
        watchdog.leave(process)
        if isOver, Self.log(folder).contains("Address already in use") { return nil }
        throw CannotStart(reason: "pgbouncer did not start. It said: \(Self.log(folder))")
      }
      usleep(1000)
    }
    return process
  }

  private static func log(_ folder: TemporaryFolder) -> String {
    do {
      return String(decoding: try Data(contentsOf: folder.url.appending(path: "log")), as: UTF8.self)
    } catch { return "nothing (\(error))" }
  }
}
