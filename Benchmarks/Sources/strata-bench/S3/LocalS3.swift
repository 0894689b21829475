import BenchHarness
import Foundation
import StrataS3

/// A SeaweedFS server for one suite, on the loopback interface, which does not check signatures.
final class LocalS3 {
  static let bucket = "bench"
  let port = Int.random(in: 22_000..<30_000)
  private let process = Process()
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "strata-bench-\(UUID().uuidString)")

  /// Starts the server that `make bench` installs, and waits until its bucket exists.
  init() throws {
    let program = ".build/s3/bin/weed"
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw UsageError("there is no \(program): `make .build/s3/ready` installs it")
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = URL(filePath: program)
    let ports = [
      "s3.port", "s3.port.grpc", "master.port", "master.port.grpc", "volume.port", "volume.port.grpc",
      "filer.port",
      "filer.port.grpc",
    ]
    process.arguments =
      [
        "-v=0", "-logtostderr=true", "server", "-dir=\(folder.path)", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
        "-s3",
        "-s3.iam=false", "-s3.port.iceberg=0", "-s3.port.lance=0", "-debug.port=0", "-master.telemetry=false",
        "-volume.max=20", "-master.volumeSizeLimitMB=256",
      ] + ports.enumerated().map { "-\($1)=\(port + $0)" }
    process.environment = ["HOME": folder.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try awaitBucket()
  }

  var endpoint: URL? { URL(string: "http://127.0.0.1:\(port)") }

  private func awaitBucket() throws {
    let web = BareS3(port: port, connections: 1)
    let watch = Stopwatch()
    while true {
      do {
        _ = try waiting { try await web.send("PUT", "") }
        _ = try waiting { try await web.send("PUT", "/ready", Data([1])) }
        return
      } catch {
        guard process.isRunning, watch.nanoseconds < 30_000_000_000 else {
          throw UsageError("SeaweedFS could not be started: \(error)")
        }
        usleep(50_000)
      }
    }
  }

  deinit {
    // Asked to end, SeaweedFS waits for its own timeouts first, more than 20 seconds. None of its data is needed.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    do {
      try FileManager.default.removeItem(at: folder)
      // SeaweedFS leaves its sockets in this folder, named by their ports.
      let ports = port..<port + 8
      for name in try FileManager.default.contentsOfDirectory(atPath: "/tmp")
      where name.hasPrefix("seaweedfs-") && ports.contains(where: { name.hasSuffix("-\($0).sock") }) {
        try FileManager.default.removeItem(atPath: "/tmp/\(name)")
      }
    } catch { print("left behind: \(error)") }
  }
}
