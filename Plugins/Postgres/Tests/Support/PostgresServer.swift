import Foundation
import StrataCore
import StrataPostgres
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A real PostgreSQL server on a loopback port, with its own folder. Its role and its database are named `strata`.
///
/// It is stopped when the object is released, or when the test process ends in any way.
final class PostgresServer: Sendable {
  /// A server shared by all tests that do not disturb it.
  static let shared = Task { try await PostgresServer() }

  static let password = "an open sesame"

  let port: Int
  private let folder: TemporaryFolder
  private let options: [String]
  private let process: Locked<pid_t?>

  /// Starts a server, and waits until it is ready. `options` are settings such as `"max_connections=10"`.
  ///
  /// - Parameter rules: The lines of `pg_hba.conf`. The default requires the password.
  init(
    _ options: [String] = [], rules: [String] = ["host all all 127.0.0.1/32 scram-sha-256"],
    files: [String] = []
  ) async throws {
    let folder = TemporaryFolder()
    let options = options.map { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) }
    let (port, process) = try await onThread {
      try Self.makeData(in: folder, rules, files)
      // Another process may have taken the port meanwhile. Another port is tried then.
      for _ in 0..<20 {
        let port = Int.random(in: 23_000..<32_000)
        if let process = try Self.start(port, options, in: folder) { return (port, process) }
      }
      throw CannotStart(reason: "no postgres came up. It said: \(Self.log(in: folder).text)")
    }
    self.port = port
    self.folder = folder
    self.options = options
    self.process = Locked(process)
  }

  deinit { end(SIGQUIT) }

  // MARK: Faults

  /// Kills the server and its processes, as in a crash.
  func crash() { end(SIGQUIT) }

  /// Shuts the server down in an orderly way: clients are notified, and unlogged tables keep their rows.
  func shutDown() { end(SIGINT) }

  private func end(_ signal: Int32) {
    let process = self.process.withLock { process in
      defer { process = nil }
      return process
    }
    if let process { ServerLog.end(process, by: signal, watched: SIGQUIT) }
  }

  /// Starts the server again on the same port and in the same folder.
  func restart() async throws {
    let (port, options, folder) = (port, options, folder)
    let new = try await onThread { try Self.start(port, options, in: folder) }
    guard let new else {
      throw CannotStart(reason: "postgres did not come up again: \(Self.log(in: folder).text)")
    }
    process.withLock { $0 = new }
  }

  /// Stops all processes of the server (`SIGSTOP`): connections stay open, but nothing is answered.
  func freeze() throws { try signalAll(SIGSTOP) }

  /// Lets the server's processes continue (`SIGCONT`).
  func thaw() throws { try signalAll(SIGCONT) }

  private func signalAll(_ signal: Int32) throws {
    guard let process = process.withLock({ $0 }) else { return }
    send(signal, to: process)
    let (_, printed) = try Program.run(["pgrep", "-P", "\(process)"])
    for line in String(decoding: printed, as: UTF8.self).split(separator: "\n") {
      if let child = pid_t(line) { send(signal, to: child) }
    }
  }

  // MARK: Queries

  var config: PostgresConfig {
    PostgresConfig(
      port: UInt16(port), database: "postgres", user: "strata", password: Self.password,
      timeout: .seconds(60),
      connectTimeout: .seconds(30))
  }

  /// Executes statements with `psql`, which shares no code with the client under test, and returns its output.
  @discardableResult
  func run(_ text: String, user: String = "strata", port: Int? = nil) async throws -> String {
    try await onThread { try self.runNow(text, user: user, port: port) }
  }

  /// Executes statements with `psql`, blocking until it ends.
  @discardableResult
  func runNow(_ text: String, user: String = "strata", port: Int? = nil) throws -> String {
    var environment = ProcessInfo.processInfo.environment
    environment["PGPASSWORD"] = Self.password
    let (end, printed) = try Program.run(
      [
        "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", "\(port ?? self.port)", "-U", user,
        "-d",
        "postgres",
      ],
      environment: environment, input: Data(text.utf8))
    let said = String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
    if end != .exit(0) { throw CannotStart(reason: "psql: \(said)") }
    return said
  }

  var path: String { folder.url.path }

  // MARK: Starting

  /// The command prefix that drops root's privileges: PostgreSQL refuses to run as root.
  static let drop: [String] =
    getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []

  private static let programs = Result {
    let (end, printed) = try Program.run(["pg_config", "--bindir"])
    guard end == .exit(0) else {
      throw CannotStart(reason: "pg_config cannot be run: is PostgreSQL installed?")
    }
    return String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The data folder of a server that was never started. Each server starts with a copy, since `initdb` takes a second.
  private static let template = Result {
    let folder = TemporaryFolder()
    let secret = folder.url.appending(path: "password")
    try Data(password.utf8).write(to: secret)
    try give(folder)
    let (end, printed) = try Program.run(
      drop + [
        "\(try programs.get())/initdb", "--no-sync", "--pgdata", folder.url.appending(path: "data").path,
        "--username", "strata", "--pwfile", secret.path, "--auth=scram-sha-256", "--encoding=UTF8",
        "--locale=C",
      ])
    guard end == .exit(0) else { throw CannotStart(reason: String(decoding: printed, as: UTF8.self)) }
    return folder
  }

  /// Changes the owner of a folder to the user that runs the servers.
  private static func give(_ folder: TemporaryFolder) throws {
    if getuid() != 0 { return }
    let (end, _) = try Program.run(["chown", "-R", "nobody:nogroup", folder.url.path])
    guard end == .exit(0) else { throw CannotStart(reason: "no folder for the server") }
  }

  private static func makeData(in folder: TemporaryFolder, _ rules: [String], _ files: [String]) throws {
    for file in files {
      let copy = folder.url.appending(path: URL(filePath: file).lastPathComponent)
      try FileManager.default.copyItem(at: URL(filePath: file), to: copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
    }
    try give(folder)
    let data = folder.url.appending(path: "data").path
    let (end, _) = try Program.run(["cp", "-a", "\(try template.get().url.path)/data", data])
    guard end == .exit(0) else { throw CannotStart(reason: "no copy of the server's data") }
    try Data((rules.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: data + "/pg_hba.conf"))
  }

  /// Returns the process, or `nil` if it ended at once because the port is in use.
  private static func start(_ port: Int, _ options: [String], in folder: TemporaryFolder) throws -> pid_t? {
    let settings =
      [
        "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "shared_buffers=16MB",
        "max_connections=150", "max_wal_size=256MB", "autovacuum=off",
      ] + options
    let words = [
      "\(try programs.get())/postgres", "-D", folder.url.appending(path: "data").path, "-p", "\(port)",
    ]
    return try log(in: folder).start(
      drop + words + settings.flatMap { ["-c", $0] }, until: "ready to accept connections", ending: SIGQUIT)
  }

  private static func log(in folder: TemporaryFolder) -> ServerLog {
    ServerLog(folder.url.appending(path: "log"))
  }
}
