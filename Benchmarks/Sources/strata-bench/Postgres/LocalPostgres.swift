import BenchHarness
import Foundation
import StrataPostgres

/// A PostgreSQL server for one suite, on the loopback interface, in its own folder.
final class LocalPostgres {
  let config: PostgresConfig
  private let folder: URL
  private let process = Process()

  /// Starts the server that belongs to `pg_config`, and waits until it answers.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "strata-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let programs = try Self.output(["pg_config", "--bindir"]).trimmingCharacters(in: .newlines)
    // The command prefix that drops root's privileges: the server refuses to run as root.
    var prefix: [String] = []
    if getuid() == 0 {
      _ = try Self.output(["chown", "nobody", folder.path])
      prefix = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    }
    let data = folder.appending(path: "data").path
    _ = try Self.output(
      prefix + ["\(programs)/initdb", "--no-sync", "-D", data, "-U", "strata", "-A", "trust", "--locale=C"])
    let port = UInt16.random(in: 22_000..<32_000)
    config = PostgresConfig(port: port, user: "strata", timeout: .seconds(60), connectTimeout: .seconds(20))
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      prefix + [
        "\(programs)/postgres", "-D", data, "-p", "\(port)", "-c", "listen_addresses=127.0.0.1", "-c",
        "unix_socket_directories=", "-c", "shared_buffers=128MB", "-c", "max_connections=200",
      ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try awaitAnswer()
  }

  private func awaitAnswer() throws {
    let store = try PostgresStorage<String>(config: config, table: "greeting")
    let watch = Stopwatch()
    while true {
      do {
        _ = try waiting { try await store.keys() }
        return
      } catch {
        guard process.isRunning, watch.nanoseconds < 20_000_000_000 else {
          throw UsageError("the PostgreSQL server could not be started; is it installed? \(error)")
        }
        usleep(20_000)
      }
    }
  }

  deinit {
    kill(process.processIdentifier, SIGQUIT)
    process.waitUntilExit()
    do { try FileManager.default.removeItem(at: folder) } catch { print("left behind: \(error)") }
  }

  /// Runs a program and returns its output.
  static func output(_ words: [String], input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("\(words.first ?? "") failed: \(text)") }
    return text
  }

  /// Returns the statements per second of `pgbench` with prepared statements.
  func pgbench(_ script: String, clients: Int, statements: Int) throws -> Double {
    let file = folder.appending(path: "script.sql")
    try Data(script.utf8).write(to: file)
    let text = try Self.output([
      "pgbench", "-n", "-M", "prepared", "-f", file.path, "-c", "\(clients)", "-j", "\(min(clients, 2))",
      "-t",
      "\(max(statements / clients, 1))", "-h", "127.0.0.1", "-p", "\(config.port)", "-U", "strata",
      "postgres",
    ])
    // The line reads: "tps = 12345.678 (without initial connection time)".
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
      let rate = Double(line.dropFirst(6).prefix { $0 != " " })
    else { throw Failure("pgbench printed no result: \(text)") }
    return rate
  }
}
