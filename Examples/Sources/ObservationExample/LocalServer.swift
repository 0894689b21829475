import Foundation

/// A `redis-server` that this program starts, in a folder that is deleted with it.
final class LocalServer {
  let port: UInt16
  private let folder: URL
  private let process: Process

  /// Starts a server; `nil` if there is no `redis-server`.
  init?() async throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "strata-board-\(UUID().uuidString)")
    guard try Self.run(["redis-server", "--version"]) else { return nil }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // If another program has the port, the server ends at once, and another port is tried.
    while true {
      let port = UInt16.random(in: 20_000..<30_000)
      let words = ["--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path, "--save", ""]
      let process = try Self.start(["redis-server"] + words)
      while process.isRunning {
        if try Self.run(["redis-cli", "-p", "\(port)", "ping"]) {
          (self.port, self.process) = (port, process)
          return
        }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Ends the server, and deletes its folder.
  func end() {
    process.terminate()
    process.waitUntilExit()
    do { try FileManager.default.removeItem(at: folder) } catch { print("Left behind: \(error)") }
  }

  /// Runs a program to its end. Returns whether it succeeded.
  private static func run(_ words: [String]) throws -> Bool {
    let process = try start(words)
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static func start(_ words: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
