import Foundation
import StrataPostgres

/// A PostgreSQL server that this program starts, in a folder that is deleted with it.
final class LocalServer {
  let config: PostgresConfig
  private let folder: URL
  private let process: Process

  /// Starts a server; `nil` if PostgreSQL's server is not installed.
  init?() async throws {
    guard let programs = Self.output("pg_config", ["--bindir"]),
      FileManager.default.fileExists(atPath: "\(programs)/initdb")
    else { return nil }
    folder = FileManager.default.temporaryDirectory.appending(path: "strata-postgres-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The command prefix that drops root's privileges: the server refuses to run as root.
    var prefix: [String] = []
    if getuid() == 0 {
      _ = Self.output("chown", ["nobody", folder.path])
      prefix = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    }
    let data = folder.appending(path: "data").path
    let made = Self.output(
      "env", prefix + ["\(programs)/initdb", "--no-sync", "-D", data, "-U", "strata", "-A", "trust"])
    let port = UInt16.random(in: 20_000..<30_000)
    config = PostgresConfig(port: port, user: "strata")
    process = Self.process(
      prefix + [
        "\(programs)/postgres", "-D", data, "-p", "\(port)", "-c", "listen_addresses=127.0.0.1", "-c",
        "unix_socket_directories=",
      ])
    guard made != nil else {
      end()
      return nil
    }
    try process.run()
    let store = try PostgresStorage<String>(config: config, table: "greeting")
    while true {
      do {
        try await store.removeAll()
        return
      } catch {
        guard process.isRunning else {
          end()
          throw error
        }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// Ends the server, and deletes its folder.
  func end() {
    if process.isRunning {
      kill(process.processIdentifier, SIGQUIT)
      process.waitUntilExit()
    }
    do { try FileManager.default.removeItem(at: folder) } catch { print("Left behind: \(error)") }
  }

  /// Returns the first line that a program prints; `nil` if it fails.
  private static func output(_ program: String, _ arguments: [String]) -> String? {
    let process = process([program] + arguments)
    let pipe = Pipe()
    process.standardOutput = pipe
    do { try process.run() } catch { return nil }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(text.prefix { $0 != "\n" }) : nil
  }

  private static func process(_ words: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }
}
