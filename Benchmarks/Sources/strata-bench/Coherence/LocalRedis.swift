import BenchHarness
import Foundation
import StrataRedis

/// A Redis server for one suite, on the loopback interface, without persistence.
final class LocalRedis {
  let address: RedisAddress
  private let process = Process()

  /// Starts the `redis-server` found through `PATH`, and waits until it answers.
  init() throws {
    let port = UInt16.random(in: 22_000..<32_000)
    address = RedisAddress(host: "127.0.0.1", port: port)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
      "--daemonize", "no",
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try awaitAnswer()
  }

  private func awaitAnswer() throws {
    let store = try RedisStorage<String>(config: RedisConfig(addresses: [address]), namespace: "greeting")
    let watch = Stopwatch()
    while true {
      do {
        _ = try waiting { try await store.keys() }
        return
      } catch {
        guard process.isRunning, watch.nanoseconds < 5_000_000_000 else {
          throw UsageError("redis-server could not be started; is it installed? \(error)")
        }
        usleep(20_000)
      }
    }
  }

  deinit { process.terminate() }
}
