import Foundation
import StrataRedis

/// Servers that this program starts, in a folder that is deleted with them.
final class LocalServers: CustomStringConvertible {
  private let folder: URL
  private var servers: [(port: UInt16, process: Process)] = []
  private let isCluster: Bool

  /// Starts one server, or a cluster of three primaries with a replica each; `nil` if there is no `redis-server`.
  init?(isCluster: Bool) async throws {
    self.isCluster = isCluster
    folder = FileManager.default.temporaryDirectory.appending(path: "strata-redis-\(UUID().uuidString)")
    guard Self.run("redis-server", ["--version"]) == 0 else { return nil }
    for _ in 0..<(isCluster ? 6 : 1) { try await start() }
    guard isCluster else { return }
    let nodes = servers.map { "127.0.0.1:\($0.port)" }
    print("Making a cluster of six servers; that takes some seconds …")
    let made = Self.run(
      "redis-cli", ["--cluster", "create"] + nodes + ["--cluster-replicas", "1", "--cluster-yes"])
    guard made == 0 else {
      end()
      return nil
    }
  }

  var addresses: [RedisAddress] { servers.map { RedisAddress(host: "127.0.0.1", port: $0.port) } }

  var description: String {
    isCluster
      ? "a cluster at ports \(servers.map { "\($0.port)" }.joined(separator: ", "))"
      : "port \(servers[0].port)"
  }

  /// Kills a primary of a cluster, and returns its port.
  func killPrimary() -> UInt16? {
    guard isCluster, let first = servers.first else { return nil }
    // Waits until a replica has received the primary's writes.
    _ = Self.run("redis-cli", ["-p", "\(first.port)", "wait", "1", "0"])
    kill(first.process.processIdentifier, SIGKILL)
    first.process.waitUntilExit()
    return first.port
  }

  /// Ends all servers, and deletes their folder.
  func end() {
    for (_, process) in servers where process.isRunning {
      // There is no data to save, and a graceful shutdown would wait for replicas.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    servers = []
    do { try FileManager.default.removeItem(at: folder) } catch { print("Left behind: \(error)") }
  }

  private func start() async throws {
    // If another program has the port, the server ends at once, and another port is tried.
    while true {
      let port = UInt16.random(in: 20_000..<30_000)
      let own = folder.appending(path: "\(port)")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      var options = [
        "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--dir", own.path, "--save", "",
      ]
      if isCluster { options += ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"] }
      let process = Self.process(options)
      try process.run()
      if try await isUp(port, process) { return servers.append((port, process)) }
    }
  }

  /// Waits until a server answers; `false` if it has ended.
  private func isUp(_ port: UInt16, _ process: Process) async throws -> Bool {
    while process.isRunning {
      if Self.run("redis-cli", ["-p", "\(port)", "ping"]) == 0 { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return false
  }

  private static func run(_ program: String, _ arguments: [String]) -> Int32 {
    let process = process([program] + arguments)
    do { try process.run() } catch { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
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
