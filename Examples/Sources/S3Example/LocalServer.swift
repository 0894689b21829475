import Foundation
import StrataS3

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// moto's server, started by this program on a port of the loopback.
final class LocalServer {
  private let process: Process
  let config: S3Config

  /// Starts the server; `nil` if it is not installed.
  init?() async throws {
    let program = ".build/s3/bin/moto_server"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let port = Int.random(in: 20_000..<30_000)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["-H", "127.0.0.1", "-p", "\(port)"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    config = S3Config(
      bucket: "example", endpoint: URL(string: "http://127.0.0.1:\(port)"),
      credentials: .fixed(accessKeyID: "example", secretAccessKey: "example"))
    while try await !makeBucket(port) { try await Task.sleep(for: .milliseconds(50)) }
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Returns whether the bucket exists, after trying to create it. Buckets are created by other tools than a store;
  /// moto requires no signature.
  private func makeBucket(_ port: Int) async throws -> Bool {
    guard process.isRunning else { throw CocoaError(.executableNotLoadable) }
    guard let url = URL(string: "http://127.0.0.1:\(port)/example") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    do {
      return try await URLSession.shared.data(for: request).1.expectedContentLength >= -1
    } catch is URLError {
      // The server is not ready yet.
      return false
    }
  }
}
